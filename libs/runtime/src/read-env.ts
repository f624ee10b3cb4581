import { z } from 'zod';
import { parseAddress } from './address.ts';

/**
 * Reads settings from environment variables, once, at start. An empty variable counts as not set.
 * @throws Error that names every setting that is missing or wrong, without its value: it may be a secret.
 */
export function readEnv<Shape extends z.ZodRawShape>(
  shape: Shape,
  env: Readonly<Record<string, string | undefined>>,
): z.output<z.ZodObject<Shape>> {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = z.object(shape).safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new Error(`The configuration is not usable. ${problems.join('; ')}`);
}

/** Kinds of settings that several processes share. */
export const setting = {
  /** host:port to listen on or to call. */
  address: (fallback?: string) => {
    const address = z.string().refine((text) => /^.+:\d{1,5}$/.test(text) && parseAddress(text).port <= 65_535, 'must be host:port');
    return fallback === undefined ? address : address.default(fallback);
  },
  url: (fallback?: string) => {
    const url = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).transform((text) => text.replace(/\/+$/, ''));
    return fallback === undefined ? url : url.prefault(fallback);
  },
  mongoUrl: () =>
    z
      .string()
      .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb://')
      .default('mongodb://127.0.0.1:27017/?replicaSet=rs0'),
  name: (fallback: string) =>
    z
      .string()
      .regex(/^[\w.-]+$/, 'may hold letters, digits, dots, dashes and underscores')
      .default(fallback),
  integer: (fallback: number, min = 0) => z.coerce.number().int().min(min).default(fallback),
  /** A comma-separated list; when it is set, it names something. */
  list: (fallback: readonly string[] = []) =>
    z
      .string()
      .transform((text) =>
        text
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
      .refine((items) => items.length > 0, 'must name at least one')
      .default([...fallback]),
  /** Origins, such as http://127.0.0.1:4010. */
  origins: () =>
    setting
      .list()
      .refine((items) => items.every(isOrigin), 'must be origins, such as https://host:8443, and no more')
      .transform((items) => items.map((item) => new URL(item).origin)),
  logLevel: () => z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
};

const isOrigin = (text: string) => /^https?:\/\/[^/?#@]+\/?$/i.test(text) && URL.canParse(text);
