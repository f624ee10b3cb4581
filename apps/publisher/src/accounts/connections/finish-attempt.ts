import { PlatformFailure, type GrantedAccount } from '@fanfare/connectors';
import type { FinishConnectionRequest } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import { currentTime, type Logger, newId } from '@fanfare/runtime';
import { appOf } from '../domain/app-of.ts';
import { connectAccounts } from './connect-accounts.ts';
import { exchangeCode } from './exchange-code.ts';
import { sealOffer } from './offer.ts';
import type { Context } from '../../context.ts';
import {
  findFinishedBy,
  storeConnectionResult,
  takeUpConnectionAttempt,
  type ConnectionAttemptDocument,
  type ConnectionError,
} from '../store/connection-attempts.ts';
import { takeConnectionByState, type ConnectionDocument } from '../store/connections.ts';
import { findIntegration } from '../store/integrations.ts';

/**
 * Finishes an attempt to connect accounts with what the platform's login returned: an authorization code or an error. A repeat with the same operation returns the
 * same result.
 * @throws DomainError invalid_request if the state is unknown, used or expired
 */
export async function finishAttempt(
  context: Context,
  { operationId, state, code, error, errorDescription }: FinishConnectionRequest,
  log: Logger,
): Promise<ConnectionAttemptDocument> {
  const { db } = context;
  const connection = await takeConnectionByState(db, state);
  if (!connection) {
    const finished = await findFinishedBy(db, operationId);
    if (finished) return finished;
    throw unknown();
  }
  const attempt = await takeUpConnectionAttempt(db, connection.attempt_id ?? '', operationId);
  if (!attempt) throw unknown();
  return code === '' ? fail(context, attempt, ...failureOf(error, errorDescription)) : finish(context, connection, attempt, code, log);
}

const unknown = () =>
  new DomainError('invalid_request', 'This connection is unknown, finished or expired. Start again.', {
    param: 'state',
  });

async function finish(
  context: Context,
  connection: ConnectionDocument,
  attempt: ConnectionAttemptDocument,
  code: string,
  log: Logger,
): Promise<ConnectionAttemptDocument> {
  const { db, config } = context;
  const { _id, platform, login: by } = attempt;
  const app = appOf(config, attempt);
  if (!app) return fail(context, attempt, 'platform_error', 'Accounts of this platform cannot be connected at the moment.');
  const at = currentTime();
  let owned: readonly GrantedAccount[];
  try {
    owned = await exchangeCode(context, app, connection, code);
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    log.warn({ err: error, platform, detail: error.detail }, 'the platform did not grant access');
    return fail(context, attempt, 'platform_error', `The platform did not grant access. ${error.message}`);
  }
  if (owned.length === 0) return fail(context, attempt, 'no_accounts', 'This login has no account that Fanfare can publish to.');

  const accounts = await wantedOf(context, attempt, owned);
  const [only, ...others] = accounts;
  if (!only) return fail(context, attempt, 'other_account', 'This login does not own the account to reconnect.');
  if (others.length > 0) {
    const offered = sealOffer(context, _id, accounts);
    const { userId } = only;
    const choice = { offered, granted_at: at, ...(userId !== undefined && { platform_user_id: userId }) };
    return storeConnectionResult(db, _id, { status: 'CONNECTION_STATUS_CHOOSING', ...choice });
  }
  const { organization_id: organizationId, business_id: businessId, flow_id: flowId, actor, request_id: requestId } = attempt;
  return context.transact(async (session) => {
    const login = { grantId: newId(), platform, ...(by && { login: by }), at, accounts };
    const connected = await connectAccounts(context, { organizationId, businessId, flowId, actor, requestId }, login, session);
    const integration_ids = connected.map((one) => one._id);
    return storeConnectionResult(db, _id, { status: 'CONNECTION_STATUS_CONNECTED', integration_ids }, session);
  });
}

/** For a reconnect, only the account itself is offered. */
async function wantedOf({ db }: Context, { integration_id }: ConnectionAttemptDocument, owned: readonly GrantedAccount[]) {
  if (integration_id === undefined) return owned;
  const integration = await findIntegration(db, integration_id);
  return owned.filter(({ accountId }) => accountId === integration?.account_id);
}

const fail = ({ db }: Context, { _id }: ConnectionAttemptDocument, error: ConnectionError, error_message: string) =>
  storeConnectionResult(db, _id, { status: 'CONNECTION_STATUS_FAILED', error, error_message });

/** The parameters come from the browser and are untrusted: only the error code that all platforms share is interpreted. */
function failureOf(error: string, description: string): [ConnectionError, string] {
  // TikTok, LinkedIn and others have their own codes for a person who cancels.
  if (/^(access_denied|user_cancelled_\w+|user_denied)$/.test(error)) return ['access_denied', 'The person did not allow access.'];
  const said = (description || error)
    .replace(/[^\p{L}\p{N}\p{P}\p{Zs}]/gu, ' ')
    .trim()
    .slice(0, 200);
  return ['platform_error', said === '' ? 'The platform returned no authorization code.' : `The platform did not grant access: ${said}`];
}
