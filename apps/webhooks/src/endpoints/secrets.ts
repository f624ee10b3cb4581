import { randomBytes } from 'node:crypto';
import type { Keyring } from '@fanfare/runtime';
import type { EndpointDocument, EndpointFormat, EndpointSecrets } from './endpoint.ts';

const SECRET_BYTES = 32;

/** A secret of the Standard Webhooks specification. */
export const newSecret = (): string => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;

const contextOf = (endpointId: string) => `endpoint:${endpointId}`;

export const sealSecrets = (keyring: Keyring, endpointId: string, secrets: EndpointSecrets): string =>
  keyring.seal(JSON.stringify(secrets), contextOf(endpointId));

/** @throws Error if the keyring does not have the key */
export const openSecrets = (keyring: Keyring, { _id, sealed }: Pick<EndpointDocument, '_id' | 'sealed'>): EndpointSecrets =>
  JSON.parse(keyring.open(sealed, contextOf(_id))) as EndpointSecrets;

/** Former secrets that webhooks are still signed with. */
export const validFormer = ({ formerSecrets = [] }: EndpointSecrets, at: Date): NonNullable<EndpointSecrets['formerSecrets']> =>
  formerSecrets.filter(({ until }) => at < new Date(until));

/** What callers see of a URL: of an incoming webhook of Slack or Discord, which is a credential, only the origin. */
export const shownUrl = (url: string, format: EndpointFormat): string => (format === 'standard' ? url : `${new URL(url).origin}/…`);
