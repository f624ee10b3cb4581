import { createHmac } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import type { Context } from '../context.ts';
import { addressSubject } from './address-subject.ts';
import { isSignInAddress, putSignInAddress } from './store/sign-in-addresses.ts';
import { forgetTries, returnTry, takeTry, type ThrottleRule } from './store/throttles.ts';
import type { Client } from './sign-in/client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** One guesser at one account. */
const PAIR: ThrottleRule = { free: 5, delayMs: SECOND, maxDelayMs: 15 * MINUTE, forgetMs: HOUR };
/** One guesser at many accounts; an office behind one address signs in without wrong passwords. */
const ADDRESS: ThrottleRule = { free: 50, delayMs: SECOND, maxDelayMs: 15 * MINUTE, forgetMs: HOUR };
/** Many guessers at one account. Where its owner signs in from is not judged by it: otherwise anybody could keep them out. */
const ACCOUNT: ThrottleRule = { free: 30, delayMs: SECOND, maxDelayMs: MINUTE, forgetMs: HOUR };
/** What sends mail to an address that somebody typed. */
const MAILS_TO: ThrottleRule = { free: 3, delayMs: MINUTE, maxDelayMs: HOUR, forgetMs: 3 * HOUR };
const MAILS_FROM: ThrottleRule = { free: 20, delayMs: 10 * SECOND, maxDelayMs: HOUR, forgetMs: 3 * HOUR };
const INVITATIONS: ThrottleRule = { free: 100, delayMs: MINUTE, maxDelayMs: HOUR, forgetMs: 24 * HOUR };

/**
 * Takes a try at an account's password, before the password is looked at. Whether there is such an account makes no difference. A try that
 * is refused counts nowhere.
 * @returns what to do when the password was right
 * @throws DomainError rate_limit_exceeded
 */
export async function takePasswordTry(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  account: string,
  client: Client,
): Promise<() => Promise<void>> {
  const from = addressSubject(client.ip);
  const hash = createHmac('sha256', keyring.derive('sign-in addresses')[0].bytes).update(`${account} ${from}`).digest('base64url');
  const pair = `password ${account} ${from}`;
  const shared = [{ id: `password ${from}`, rule: ADDRESS }];
  if (!(await isSignInAddress(db, account, hash))) shared.push({ id: `password ${account}`, rule: ACCOUNT });

  const taken: string[] = [];
  for (const { id, rule } of [{ id: pair, rule: PAIR }, ...shared]) {
    try {
      await take(db, id, rule, 'sign_in');
    } catch (error) {
      await Promise.all(taken.map((one) => returnTry(db, one)));
      throw error;
    }
    taken.push(id);
  }
  return async () => {
    await Promise.all([forgetTries(db, pair), ...shared.map(({ id }) => returnTry(db, id)), putSignInAddress(db, account, hash)]);
  };
}

/**
 * Before a mail goes to an address on the word of somebody who has not shown that it is theirs.
 * @throws DomainError rate_limit_exceeded
 */
export async function takeMailTry(db: Db, email: string, client: Client): Promise<void> {
  await take(db, `mail ${addressSubject(client.ip)}`, MAILS_FROM, 'mail');
  await take(db, `mail ${email}`, MAILS_TO, 'mail');
}

/** @throws DomainError rate_limit_exceeded */
export async function takeInvitationTry(db: Db, organizationId: string): Promise<void> {
  await take(db, `invitation ${organizationId}`, INVITATIONS, 'invitation');
}

/** @throws DomainError rate_limit_exceeded */
export async function takeCodeTry(db: Db, client: Client): Promise<void> {
  await take(db, `code ${addressSubject(client.ip)}`, ADDRESS, 'sign_in');
}

/** @param window what a refusal names: not which rule it was, which would tell whether others try the same account */
async function take(db: Db, id: string, rule: ThrottleRule, window: 'sign_in' | 'mail' | 'invitation'): Promise<void> {
  const waitMs = await takeTry(db, id, rule);
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / SECOND);
  const detail = `Too many attempts (window "${window}"). Wait ${retryAfterSeconds} s.`;
  throw new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds, members: { window } });
}
