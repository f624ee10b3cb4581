import type { GrantedAccount } from '@fanfare/connectors';
import type { ChooseAccountsRequest } from '@fanfare/contracts/publisher';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { currentTime } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { chooseOfAttempt, findConnectionAttempt, type ConnectionAttemptDocument } from '../store/connection-attempts.ts';
import { connectAccounts } from './connect-accounts.ts';
import { openOffer } from './offer.ts';

/**
 * Connects the accounts that a person chose among those of a login. A repeat with the same operation returns the same result.
 * @throws DomainError resource_not_found; invalid_value for an account that was not offered; conflict if there is nothing to choose from
 */
export async function chooseAccounts(
  context: Context,
  { operationId, connectionId, accountIds }: ChooseAccountsRequest,
  metadata: CallMetadata,
): Promise<ConnectionAttemptDocument> {
  const { db } = context;
  const attempt = await findConnectionAttempt(db, connectionId, metadata);
  if (!attempt) throw notFound('connection');
  if (attempt.chosen_by === operationId) return attempt;
  if (attempt.status !== 'CONNECTION_STATUS_CHOOSING') throw nothingToChoose();
  const accounts = chosenOf(context, attempt, accountIds);
  const { platform, login: by } = attempt;
  const login = { grantId: attempt._id, platform, ...(by && { login: by }), at: attempt.granted_at ?? currentTime(), accounts };

  return context.transact(async (session) => {
    const connected = await connectAccounts(context, metadata, login, session);
    const integrationIds = connected.map((one) => one._id);
    const ended = await chooseOfAttempt(db, connectionId, metadata, { operationId, integrationIds }, session);
    if (!ended) throw nothingToChoose(); // Rolls back the connected accounts too.
    return ended;
  });
}

function chosenOf(context: Context, attempt: ConnectionAttemptDocument, ids: readonly string[]): GrantedAccount[] {
  const offered = new Map(openOffer(context, attempt).map((account) => [account.accountId, account]));
  const detail = 'This login does not own that account.';
  const errors = ids.flatMap((id, index) =>
    offered.has(id) ? [] : [{ param: `account_ids.${index}`, code: 'invalid_value' as const, detail }],
  );
  const [first] = errors;
  if (first) throw new DomainError('invalid_value', detail, { param: first.param, errors });
  return [...new Set(ids)].flatMap((id) => offered.get(id) ?? []);
}

const nothingToChoose = () => new DomainError('conflict', 'This connection has no accounts to choose from, or has expired. Start again.');
