import { z } from 'zod';
import type { Platform } from './platforms/platform.ts';
import { appFields, platformNames, platforms } from './platforms/registry.ts';

const otherLogins = Object.values<Platform>(platforms).flatMap(({ name, otherLogins: logins = [] }) =>
  logins.map((one) => ({ platform: name, ...one })),
);
/** Every app has a login, even where the platform has only one. */
const USUAL_LOGIN = 'facebook';

const commonFields = z.strictObject({
  platform: z.enum(platformNames),
  client_id: z.string().min(1),
  client_secret: z.string().min(1),
  /** The login that the app is for, if its platform has several. */
  login: z.enum([USUAL_LOGIN, ...otherLogins.map(({ login }) => login)]).default(USUAL_LOGIN),
  /** Empty: any absolute http(s) URL is accepted. */
  redirect_uris: z.array(z.url()).default([]),
});
/** Each platform has fields of its own, which its folder reads. */
const app = commonFields.extend(appFields);

const environment = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(4460),
  HOST: z.string().default('127.0.0.1'),
  SMTP_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  SANDBOX_DATA_FILE: z.string().optional(),
  SANDBOX_IDS_AFTER: z.coerce.number().int().min(1_000).max(90_000_000).default(1_000),
  SANDBOX_APPS: z.preprocess((value) => (typeof value === 'string' ? parseJson(value) : value), z.array(app)).default([]),
  /** Origins that media are fetched from although they have no https: the API's, where it is on another machine. */
  SANDBOX_MEDIA_ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(',').flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim()]))),
  /** Production has a sandbox for the canary alone: nobody may look into it or make it fail. */
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  SANDBOX_PROCESSING_MS: z.coerce.number().int().min(0).default(300),
  SANDBOX_LIMITS_FACTOR: z.coerce.number().positive().default(1),
  LOG_LEVEL: z.string().default('info'),
});

export type PretendApp = z.infer<typeof commonFields>;
export type Config = ReturnType<typeof loadConfig>;

export function loadConfig(env: Record<string, string | undefined> = process.env) {
  const parsed = environment.safeParse(env);
  if (!parsed.success) throw new Error(`The settings are not valid:\n${z.prettifyError(parsed.error)}`);
  const { data } = parsed;
  return {
    port: data.PORT,
    host: data.HOST,
    /** The SMTP port; null disables mail. */
    smtpPort: data.SMTP_PORT ?? null,
    dataFile: data.SANDBOX_DATA_FILE || null,
    /** The ids that it gives contain larger numbers. No platform gives an id twice: one that is restarted without its data needs another one. */
    idsAfter: data.SANDBOX_IDS_AFTER,
    apps: withDefaults(data.SANDBOX_APPS),
    mediaOrigins: data.SANDBOX_MEDIA_ORIGINS,
    /** Whether there are the control API, faults, and pages that show what was sent. */
    control: data.NODE_ENV !== 'production',
    processingMs: data.SANDBOX_PROCESSING_MS,
    /** Multiplies the platforms' rate limits and daily quotas, for load tests. */
    limitsFactor: data.SANDBOX_LIMITS_FACTOR,
    logLevel: data.LOG_LEVEL,
  };
}

function withDefaults(configured: PretendApp[]): PretendApp[] {
  const usual = [...platformNames.map((platform) => ({ platform, login: USUAL_LOGIN, app: String(platform) })), ...otherLogins];
  const missing = usual.filter(({ platform, login }) => !configured.some((one) => one.platform === platform && one.login === login));
  return [
    ...configured,
    ...missing.map(({ app: name, ...fields }) =>
      app.parse({ ...fields, client_id: `sandbox-${name}`, client_secret: `sandbox-${name}-secret` }),
    ),
  ];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
