import type { GrantedAccount } from '@fanfare/connectors';
import type { Cause } from '@fanfare/events';
import { fenceAfter } from '@fanfare/leased-work';
import { aheadMs, newId, now } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { planTokens, remaining } from '../domain/token-plan.ts';
import { emitIntegrationChanged } from '../events/emit-integration-changed.ts';
import { findIntegrationByAccount, putIntegration, type IntegrationDocument, type Scope } from '../store/integrations.ts';
import { dropRevocationsOf } from '../store/revocations.ts';
import { requestedScopes, type LoginMethod } from '../domain/app-of.ts';
import { openTokens, sealTokens } from '../tokens/tokens.ts';

/** The result of a login at a platform. */
export interface Login extends LoginMethod {
  /** Identifies the login: accounts of one login lose their access together. */
  readonly grantId: string;
  /** When the platform granted it, in real time. */
  readonly at: Date;
  readonly accounts: readonly GrantedAccount[];
}

type Connecting = Scope & Cause;

/**
 * Stores the accounts of a login in the caller's transaction. A reconnected account keeps its id and settings, and its refresh token if
 * this login returned none.
 */
export async function connectAccounts(
  context: Context,
  scope: Connecting,
  login: Login,
  session: ClientSession,
): Promise<IntegrationDocument[]> {
  const { db } = context;
  const { platform } = login;
  const connected: IntegrationDocument[] = [];
  for (const account of login.accounts) {
    const before = await findIntegrationByAccount(db, { businessId: scope.businessId, platform, accountId: account.accountId }, session);
    const document = integrationOf(context, scope, login, account, before);
    await putIntegration(db, document, session);
    await dropRevocationsOf(db, document._id, session);
    await emitIntegrationChanged(context, session, document, scope);
    connected.push(document);
  }
  return connected;
}

function integrationOf(
  context: Context,
  scope: Scope,
  { grantId, platform, login, at }: Login,
  { accountId, username, displayName, page, pictureUrl, userId, observed, tokens: granted }: GrantedAccount,
  before: IntegrationDocument | null,
): IntegrationDocument {
  const id = before?._id ?? newId();
  const tokens = { ...keptRefreshToken(context, before), ...granted };
  const refreshable = tokens.refreshToken !== undefined;
  const isKept = granted.refreshToken === undefined && refreshable;
  // The platform knows only real time, but the account's schedule is the organization's.
  const grantedAt = new Date(at.getTime() + aheadMs(scope.organizationId));
  const { status, expiresAt, reconnectBy, checkAt } = planTokens(
    grantedAt,
    { ...granted, ...(isKept && remaining(before, grantedAt)) },
    refreshable,
  );
  const changedAt = now(scope.organizationId);
  return {
    _id: id,
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    platform,
    ...(login && { login }),
    account_id: accountId,
    username,
    display_name: displayName,
    page,
    ...(pictureUrl !== undefined && { picture_url: pictureUrl }),
    status,
    // A response without scopes means that all requested scopes were granted (RFC 6749, 5.1).
    scopes: [...(granted.scopes.length > 0 ? granted.scopes : requestedScopes(context.config, { platform, ...(login && { login }) }))],
    ...(expiresAt && { token_expires_at: expiresAt }),
    ...(reconnectBy && { reconnect_by: reconnectBy }),
    ...(checkAt && { token_check_at: checkAt }),
    tokens: sealTokens(context, id, tokens),
    refreshable,
    grant_id: grantId,
    granted_at: at,
    ...(userId !== undefined && { platform_user_id: userId }),
    ...(observed && { observed_options: { ...observed } }),
    ...(before?.settings && { settings: before.settings }),
    ...(before?.disconnected_at && { disconnected_at: before.disconnected_at }),
    created_at: before?.created_at ?? changedAt,
    updated_at: changedAt,
    revision: (before?.revision ?? 0) + 1,
    // A token check that leased the row for the previous login must not write to this one.
    ...(before && { fence: fenceAfter(before) }),
    ...(before?.operation_ids && { operation_ids: before.operation_ids }),
  };
}

/** The refresh token of the previous login. A new login must not fail because that one cannot be decrypted any more. */
function keptRefreshToken(context: Context, before: IntegrationDocument | null): { refreshToken?: string } {
  if (!before || before.tokens === '') return {};
  try {
    const { refreshToken } = openTokens(context, before);
    return refreshToken === undefined ? {} : { refreshToken };
  } catch (error) {
    context.log.warn({ err: error, integration_id: before._id }, 'the tokens of an earlier login cannot be decrypted any more');
    return {};
  }
}
