import type { GrantedAccount } from '@fanfare/connectors';
import type { Context } from '../../context.ts';
import { offerOf } from '../domain/secret-names.ts';
import type { ConnectionAttemptDocument } from '../store/connection-attempts.ts';

/** Encrypts the accounts of a login, with their tokens, until the person has chosen among them. */
export const sealOffer = ({ keyring }: Context, attemptId: string, accounts: readonly GrantedAccount[]): string =>
  keyring.seal(JSON.stringify(accounts), offerOf(attemptId));

export function openOffer({ keyring }: Context, { _id, offered }: ConnectionAttemptDocument): readonly GrantedAccount[] {
  return offered === undefined ? [] : (JSON.parse(keyring.open(offered, offerOf(_id))) as GrantedAccount[]);
}
