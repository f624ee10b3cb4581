import { createHmac } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import type { Context } from '../context.ts';
import { addressSubject } from './address-subject.ts';
import { isSignInAddress, putSignInAddress } from './store/sign-in-addresses.ts';
import { forgetAttempts, uncountAttempt, countAttempt, type ThrottleRule } from './store/throttles.ts';
import type { Client } from './sign-in/client.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** One address that guesses at one account. */
const PAIR: ThrottleRule = { free: 5, delayMs: SECOND, maxDelayMs: 15 * MINUTE, forgetMs: HOUR };
/** One address that guesses at many accounts. An office behind one address signs in without wrong passwords. */
const ADDRESS: ThrottleRule = { free: 50, delayMs: SECOND, maxDelayMs: 15 * MINUTE, forgetMs: HOUR };
/** Many addresses that guess at one account. Addresses that its owner signs in from are exempt, otherwise anyone could lock the owner out. */
const ACCOUNT: ThrottleRule = { free: 30, delayMs: SECOND, maxDelayMs: MINUTE, forgetMs: HOUR };
/** Mails to an address that somebody entered. */
const MAILS_TO: ThrottleRule = { free: 3, delayMs: MINUTE, maxDelayMs: HOUR, forgetMs: 3 * HOUR };
const MAILS_FROM: ThrottleRule = { free: 20, delayMs: 10 * SECOND, maxDelayMs: HOUR, forgetMs: 3 * HOUR };
const INVITATIONS: ThrottleRule = { free: 100, delayMs: MINUTE, maxDelayMs: HOUR, forgetMs: 24 * HOUR };

/**
 * Counts an attempt at an account's password, before the password is checked. Whether the account exists makes no difference. A rejected attempt is not
 * counted.
 * @returns what to call if the password was right
 * @throws DomainError rate_limit_exceeded
 */
export async function countPasswordAttempt(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  account: string,
  client: Client,
): Promise<() => Promise<void>> {
  const from = addressSubject(client.ip);
  const hash = createHmac('sha256', keyring.derive('sign-in addresses')[0].bytes).update(`${account} ${from}`).digest('base64url');
  const pair = `password ${account} ${from}`;
  const shared = [{ id: `password ${from}`, rule: ADDRESS }];
  if (!(await isSignInAddress(db, account, hash))) shared.push({ id: `password ${account}`, rule: ACCOUNT });

  const counted: string[] = [];
  for (const { id, rule } of [{ id: pair, rule: PAIR }, ...shared]) {
    try {
      await count(db, id, rule, 'sign_in');
    } catch (error) {
      await Promise.all(counted.map((one) => uncountAttempt(db, one)));
      throw error;
    }
    counted.push(id);
  }
  return async () => {
    await Promise.all([forgetAttempts(db, pair), ...shared.map(({ id }) => uncountAttempt(db, id)), putSignInAddress(db, account, hash)]);
  };
}

/**
 * Counts a mail that a caller requests for an address that they have not proved to be theirs.
 * @throws DomainError rate_limit_exceeded
 */
export async function countMailRequest(db: Db, email: string, client: Client): Promise<void> {
  await count(db, `mail ${addressSubject(client.ip)}`, MAILS_FROM, 'mail');
  await count(db, `mail ${email}`, MAILS_TO, 'mail');
}

/** @throws DomainError rate_limit_exceeded */
export async function countInvitation(db: Db, organizationId: string): Promise<void> {
  await count(db, `invitation ${organizationId}`, INVITATIONS, 'invitation');
}

/** @throws DomainError rate_limit_exceeded */
export async function countCodeAttempt(db: Db, client: Client): Promise<void> {
  await count(db, `code ${addressSubject(client.ip)}`, ADDRESS, 'sign_in');
}

/** @param window the name in the error. It is not that of the rule, which would reveal whether others try the same account */
async function count(db: Db, id: string, rule: ThrottleRule, window: 'sign_in' | 'mail' | 'invitation'): Promise<void> {
  const waitMs = await countAttempt(db, id, rule);
  if (waitMs === 0) return;
  const retryAfterSeconds = Math.ceil(waitMs / SECOND);
  const detail = `Too many attempts (window "${window}"). Wait ${retryAfterSeconds} s.`;
  throw new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds, members: { window } });
}
