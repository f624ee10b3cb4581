import { z } from 'zod';
import { parseAddress } from '../address.ts';
import { parseKeyring } from './keyring.ts';
import { inProduction, isGuessable, isProduction, objectionTo } from './production.ts';

/** For checks of settings that only production rejects. */
export interface Mode {
  readonly isProduction: boolean;
}

/**
 * Reads settings from environment variables, once, at start. An empty variable counts as unset. Unless `NODE_ENV` is development or test, it also
 * rejects values that are unfit for production; see `production.ts`.
 * @param checks each returns what is wrong with settings that are valid by themselves: `NAME: why`. A check that needs an invalid setting is left
 *   out.
 * @throws Error that names every setting that is missing or wrong, without its value, which may be a secret
 */
export function readEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
  checks: readonly ((read: z.output<z.ZodObject<Shape>>, mode: Mode) => readonly string[])[] = [],
): z.output<z.ZodObject<Shape>> {
  const isStrict = isProduction(env);
  const read: Record<string, unknown> = {};
  const problems: string[] = [];
  const rejections: string[] = [];
  const wrong = new Set<string | symbol>();
  for (const [name, schema] of Object.entries(shape) as [string, z.ZodType][]) {
    const parsed = schema.safeParse(env[name] === '' ? undefined : env[name], { reportInput: true });
    for (const issue of parsed.error?.issues ?? []) problems.push(`${[name, ...issue.path].join('.')}: ${inWords(issue)}`);
    if (!parsed.success) {
      wrong.add(name);
      continue;
    }
    if (parsed.data !== undefined) read[name] = parsed.data;
    const objection = isStrict ? objectionTo(schema, parsed.data) : undefined;
    if (objection !== undefined) rejections.push(`${name}: ${objection}`);
  }
  if (isStrict && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0') {
    rejections.push('NODE_TLS_REJECT_UNAUTHORIZED: makes connections accept every server; use NODE_EXTRA_CA_CERTS for a CA of your own');
  }
  const settings = read as z.output<z.ZodObject<Shape>>;
  problems.push(...checks.flatMap((check) => unlessWrong(settings, wrong, (read) => check(read, { isProduction: isStrict }))));
  if (problems.length + rejections.length === 0) return settings;
  const why = rejections.length > 0 ? ' (This is production, because NODE_ENV is neither development nor test.)' : '';
  throw new Error(`The configuration is invalid. ${[...problems, ...rejections].join('; ')}${why}`);
}

/** @param wrong names of settings without a value to check */
function unlessWrong<T extends object>(settings: T, wrong: ReadonlySet<string | symbol>, check: (read: T) => readonly string[]) {
  let needsWrong = false;
  const watched = new Proxy(settings, {
    get(target, name) {
      needsWrong ||= wrong.has(name);
      return Reflect.get(target, name) as unknown;
    },
  });
  try {
    const found = check(watched);
    return needsWrong ? [] : found;
  } catch (error) {
    if (needsWrong) return [];
    throw error;
  }
}

function inWords(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is required';
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.join(' or ')}`;
  return issue.message;
}

/** Kinds of settings that several processes share. */
export const setting = {
  /** host:port to listen on or to call. */
  address: (fallback?: string) => {
    const address = z.string().refine((text) => /^.+:\d{1,5}$/.test(text) && parseAddress(text).port <= 65_535, 'must be host:port');
    return fallback === undefined ? address : address.default(fallback);
  },
  url: (fallback?: string) => {
    const url = z
      .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
      // Paths are appended to it.
      .refine(isBare, 'must have no user, no query and no fragment')
      // In one spelling, so that those who look at its scheme or host need not know of HTTP:// and others.
      .transform((text) => new URL(text).href.replace(/\/+$/, ''));
    return fallback === undefined ? url : url.prefault(fallback);
  },
  mongoUrl: () =>
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://')
      .default('mongodb://127.0.0.1:27017/?replicaSet=rs0'),
  name: (fallback: string) =>
    z
      .string()
      .regex(/^[\w.-]+$/, 'may only contain letters, digits, dots, dashes and underscores')
      .default(fallback),
  integer: (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback),
  /** A comma-separated list; if set, it must not be empty. */
  list: (fallback: readonly string[] = []) =>
    z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
      .refine((items) => items.length > 0, 'must have at least one entry')
      .default([...fallback]),
  /** Keys for encryption, in the format of `createKeyring`: `id:base64,…`. */
  keyring: () =>
    inProduction(
      z.string().superRefine((text, context) => {
        try {
          parseKeyring(text);
        } catch (error) {
          context.addIssue({ code: 'custom', message: (error as Error).message });
        }
      }),
      (text) => ([...parseKeyring(text).values()].some(isGuessable) ? 'has a key that can be guessed, such as all zeros' : undefined),
    ),
  /** A key of another service. The sandbox's are public. */
  secret: () =>
    inProduction(z.string().default(''), (text) =>
      /^\W*sandbox-/i.test(text) ? 'is a key of the sandbox, which everybody knows' : undefined,
    ),
  /** Origins, such as http://127.0.0.1:4010. */
  origins: () =>
    setting
      .list()
      .refine((items) => items.every(isOrigin), 'must be origins without a path, such as https://host:8443')
      .transform((items) => items.map((item) => new URL(item).origin)),
  logLevel: () => z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};

const isOrigin = (text: string) => /^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text);

function isBare(text: string): boolean {
  const url = URL.parse(text);
  return url === null || [url.username, url.password, url.search, url.hash].every((part) => part === '');
}
