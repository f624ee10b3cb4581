import { createRequire } from 'node:module';
import type { FailureClass } from '../src/calls/failure.ts';
import type { Call, Connector } from '../src/connector.ts';
import type { Platform } from '../src/platform.ts';
import { folderOf } from './conversations/conversations.ts';

/** The errors of a platform's documentation. Each platform has its own, as `errors` in `test/errors.ts` of its folder. */
export interface Errors {
  readonly commit: Commit;
  /** Each in the platform's words. */
  readonly rows: readonly ErrorRow[];
}

/** The call that makes a post public, and the minimal post for it. */
export interface Commit {
  /** Its name in the sandbox. */
  readonly operation: string;
  readonly media?: 'image' | 'reel';
  readonly options?: Readonly<Record<string, string>>;
  /** Required options whose value is the first choice of the account. */
  readonly chosen?: readonly string[];
}

/** The platform's response to the call that makes a post public, and what follows for the delivery. */
export interface ErrorRow {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * - a class: the delivery fails permanently, for this reason
   * - `waits`: it is retried after `waitMs`
   * - `reconciles`: nothing is sent again before the platform was read
   */
  readonly ends: FailureClass | 'waits' | 'reconciles';
  /** In milliseconds; without it the engine's own delay after a first failure. */
  readonly waitMs?: number;
  /** How many calls in a row get this response; one if absent. */
  readonly times?: number;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const row = (status: number, body: object, ends: ErrorRow['ends'], more: Partial<ErrorRow> = {}): ErrorRow => ({
  status,
  body,
  ends,
  ...more,
});

const load = createRequire(import.meta.url);

/** @throws Error for a platform whose folder has none */
export const errorsOf = (platform: Platform): Errors => (load(`../src/${folderOf(platform)}/test/errors.ts`) as { errors: Errors }).errors;

/** The options that the platform requires of every post, for the account of the call. */
export async function requiredOptions(
  { choices }: Connector,
  { options, chosen = [] }: Commit,
  call: Call,
): Promise<Record<string, string>> {
  const values = await Promise.all(
    chosen.map(async (option) => [option, (await choices?.[option]?.(call, { given: {} }))?.items[0]?.value ?? ''] as const),
  );
  return { ...options, ...Object.fromEntries(values) };
}
