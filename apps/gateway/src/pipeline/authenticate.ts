import { DomainError } from '@fanfare/errors';
import type { Db } from 'mongodb';
import { hashApiKey, isApiKey } from '../api-key.ts';
import { findCaller, type Caller } from '../store/callers.ts';

const BEARER = /^Bearer +([\x21-\x7e]+) *$/i;

/** Who calls, by the `Authorization` header (RFC 6750, 2.1). What does not look like a key never reaches the database. */
export async function authenticate(db: Db, authorization: string | undefined): Promise<Caller> {
  if (authorization === undefined) {
    throw new DomainError('authentication_required', 'Send an API key in the header "Authorization: Bearer …".');
  }
  const key = BEARER.exec(authorization)?.[1];
  const caller = key !== undefined && isApiKey(key) ? await findCaller(db, hashApiKey(key)) : undefined;
  if (!caller) throw new DomainError('authentication_required', 'This is not a valid API key, or it was revoked.');
  return caller;
}

export function checkPlan({ plan }: Caller): void {
  if (!plan.api_access) throw new DomainError('permission_denied', "The organization's plan has no API access.");
}
