import { PlatformFailure } from '../calls/failure.ts';

/**
 * Whether the account does not allow a read: a scope, a role or the type of account is missing. False if the access of our app is the problem, which only
 * an operator can fix.
 */
export const isForbidden = (error: unknown): error is PlatformFailure =>
  error instanceof PlatformFailure && error.class === 'permission' && error.detail['operator'] === undefined;

export interface ReadPartly {
  /** Why parts are missing, one sentence for people each. */
  readonly reasons: ReadonlySet<string>;
  /** Reads a part; `otherwise` if the account does not allow it. */
  read<T>(reading: Promise<T>, otherwise: T): Promise<T>;
}

/** Reads the statistics of an account in parts: those that the account does not allow are left out, with a reason, and the others are kept. */
export function readPartly(platform: string): ReadPartly {
  const reasons = new Set<string>();
  return {
    reasons,
    async read(reading, otherwise) {
      try {
        return await reading;
      } catch (error) {
        if (!isForbidden(error)) throw error;
        reasons.add(`${platform} does not allow reading some statistics of this account: ${error.message}`);
        return otherwise;
      }
    },
  };
}
