import type { GrantedAccount } from '@fanfare/connectors';
import type { Context } from '../context.ts';
import type { ConnectionAttemptDocument } from '../store/connection-attempts.ts';

const secretOf = (attemptId: string) => `connection-offer:${attemptId}`;

/** The accounts of a login, with their tokens, until somebody has chosen among them. */
export const sealOffer = ({ keyring }: Context, attemptId: string, accounts: readonly GrantedAccount[]): string =>
  keyring.seal(JSON.stringify(accounts), secretOf(attemptId));

export function openOffer({ keyring }: Context, { _id, offered }: ConnectionAttemptDocument): readonly GrantedAccount[] {
  return offered === undefined ? [] : (JSON.parse(keyring.open(offered, secretOf(_id))) as GrantedAccount[]);
}
