import type { z } from 'zod';

/** What is wrong with the value of a setting in production, as the end of a sentence that begins with its name; undefined if nothing is. */
type Objection = (value: unknown) => string | undefined;

const objections = new WeakMap<z.ZodType, Objection>();

/** Production is the default: a process without settings must not allow what is for development. */
export const isProduction = ({ NODE_ENV }: Readonly<Record<string, string | undefined>>): boolean =>
  NODE_ENV !== 'development' && NODE_ENV !== 'test';

/** Makes `readEnv` reject a value of this setting in production. */
export function inProduction<S extends z.ZodType>(schema: S, objection: (value: z.output<S>) => string | undefined): S {
  objections.set(schema, objection as Objection);
  return schema;
}

/** A setting that production must not have: one of the sandbox, or one that opens what is closed to others. */
export const developmentOnly = <S extends z.ZodType>(schema: S): S =>
  inProduction(schema, (value) => (isSet(value) ? 'is only for development and tests' : undefined));

/** One or several public addresses. */
export const publicAddress = <S extends z.ZodType<string | readonly string[] | undefined>>(schema: S): S =>
  inProduction(schema, (value) => ([value ?? []].flat().every((url) => /^https:/i.test(url)) ? undefined : 'must be https in production'));

/** What production rejects about a value that was read. */
export const objectionTo = (schema: z.ZodType, value: unknown): string | undefined => objections.get(schema)?.(value);

/**
 * Placeholders: the same few bytes, such as zeros or a word that is repeated, or bytes that count up. Of 32 random bytes, fewer than nine different ones are as
 * good as impossible.
 */
export function isGuessable(bytes: Uint8Array): boolean {
  const steps = bytes.subarray(1).map((byte, at) => byte - (bytes[at] ?? 0));
  return new Set(bytes).size < 9 || new Set(steps).size <= 1;
}

const isSet = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== undefined);
