import { DomainError, notFound } from '@fanfare/errors';
import { currentTime } from '@fanfare/runtime';
import { connectAccounts } from '../accounts/connections/connect-accounts.ts';
import { openOffer } from '../accounts/connections/offer.ts';
import { toConnection } from '../accounts/connections/to-connection.ts';
import { chooseOfAttempt, findConnectionAttempt, type ConnectionAttemptDocument } from '../accounts/store/connection-attempts.ts';
import type { Rpc } from './rpc.ts';

export const chooseAccounts: Rpc<'chooseAccounts'> =
  (context) =>
  async ({ operationId, connectionId, accountIds }, { metadata }) => {
    const { db } = context;
    const attempt = await findConnectionAttempt(db, connectionId, metadata);
    if (!attempt) throw notFound('connection');
    if (attempt.chosen_by === operationId) return { connection: await toConnection(context, attempt) };
    if (attempt.status !== 'CONNECTION_STATUS_CHOOSING') throw nothingToChoose();
    const accounts = chosenOf(attempt, accountIds);
    const { platform, login: by } = attempt;
    const login = { grantId: attempt._id, platform, ...(by && { login: by }), at: attempt.granted_at ?? currentTime(), accounts };

    const chosen = await context.transact(async (session) => {
      const connected = await connectAccounts(context, metadata, login, session);
      const integrationIds = connected.map((one) => one._id);
      const ended = await chooseOfAttempt(db, connectionId, metadata, { operationId, integrationIds }, session);
      if (!ended) throw nothingToChoose(); // Rolls back the connected accounts too.
      return ended;
    });
    return { connection: await toConnection(context, chosen) };

    function chosenOf(of: ConnectionAttemptDocument, ids: readonly string[]) {
      const offered = new Map(openOffer(context, of).map((account) => [account.accountId, account]));
      const detail = 'This login does not own that account.';
      const errors = ids.flatMap((id, index) =>
        offered.has(id) ? [] : [{ param: `account_ids.${index}`, code: 'invalid_value' as const, detail }],
      );
      const [first] = errors;
      if (first) throw new DomainError('invalid_value', detail, { param: first.param, errors });
      return [...new Set(ids)].flatMap((id) => offered.get(id) ?? []);
    }
  };

const nothingToChoose = () => new DomainError('conflict', 'This connection has no accounts to choose from, or has expired. Start again.');
