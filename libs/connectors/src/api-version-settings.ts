import { z } from 'zod';
import type { ApiVersion } from './calls/api-version.ts';
import type { Connector } from './connector.ts';
import type { Platform } from './platform.ts';
import { connectors } from './registry.ts';

type SettingName = `${Uppercase<Platform>}_VERSION`;

const versioned = Object.values<Connector>(connectors).flatMap(({ platform, apiVersion }) =>
  apiVersion ? [{ platform, apiVersion, name: `${platform.toUpperCase()}_VERSION` as SettingName }] : [],
);

const schemaOf = ({ version }: ApiVersion): z.ZodType<string | undefined> =>
  z
    .string()
    .regex(/^20\d\d(0[1-9]|1[0-2])$/, `must be a year and a month, such as ${version}`)
    .default(version);

/**
 * Settings for `readEnv`: the version of each platform's API that has versions, such as `LINKEDIN_VERSION`. Every process that calls platforms has them: operators set a later version
 * when a platform ends the one of its connector.
 */
export const apiVersionEnv = Object.fromEntries(versioned.map(({ name, apiVersion }) => [name, schemaOf(apiVersion)])) as Readonly<
  Record<SettingName, z.ZodType<string | undefined>>
>;

/** The versions that were read with `apiVersionEnv`, as `createPlatformClient` takes them. */
export const apiVersionsOf = (
  read: Readonly<Partial<Record<SettingName, string | undefined>>>,
): Partial<Record<Platform, string | undefined>> => Object.fromEntries(versioned.map(({ platform, name }) => [platform, read[name]]));
