import type { AccountWanted } from '../../src/reading/reading.ts';

/** What a platform responds to a request; undefined: 404. */
export type Respond = (path: string, query: Readonly<Record<string, string>>, body: unknown) => unknown;

/** What is read of an account, with the platform's responses if nothing fails. */
export interface Reads {
  readonly accountId: string;
  readonly account: AccountWanted;
  /** Two posts of the account. */
  readonly posts: readonly string[];
  /** The platform leaves out what is zero. */
  readonly omitsZeros?: true;
  readonly respond: Respond;
}
