import type { GrantedAccount, Platform } from '@fanfare/connectors';
import { newId } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { emitIntegrationChanged } from '../events.ts';
import { findIntegrationByAccount, putIntegration, type IntegrationDocument } from '../store/integrations.ts';
import { openTokens, sealTokens } from './tokens.ts';

/** Stores the accounts of a login. One that was connected before keeps its id, and its refresh token where this login left it out. */
export async function connectAccounts(
  context: Context,
  scope: { organizationId: string; businessId: string; flowId: string },
  platform: Platform,
  accounts: readonly GrantedAccount[],
): Promise<IntegrationDocument[]> {
  const { db } = context;
  return context.transact(async (session) => {
    const connected: IntegrationDocument[] = [];
    for (const account of accounts) {
      const before = await findIntegrationByAccount(db, { businessId: scope.businessId, platform, accountId: account.accountId }, session);
      const document = integrationOf(context, scope, platform, account, before);
      await putIntegration(db, document, session);
      await emitIntegrationChanged(db, session, document, scope.flowId);
      connected.push(document);
    }
    return connected;
  });
}

function integrationOf(
  context: Context,
  scope: { organizationId: string; businessId: string },
  platform: Platform,
  { accountId, username, displayName, page, pictureUrl, tokens }: GrantedAccount,
  before: IntegrationDocument | null,
): IntegrationDocument {
  const at = new Date();
  const id = before?._id ?? newId();
  const kept = before ? openTokens(context, before) : undefined;
  return {
    _id: id,
    organization_id: scope.organizationId,
    business_id: scope.businessId,
    platform,
    account_id: accountId,
    username,
    display_name: displayName,
    page,
    ...(pictureUrl !== undefined && { picture_url: pictureUrl }),
    status: 'INTEGRATION_STATUS_CONNECTED',
    scopes: [...tokens.scopes],
    ...(tokens.expiresInMs !== undefined && { token_expires_at: new Date(at.getTime() + tokens.expiresInMs) }),
    tokens: sealTokens(context, id, { ...(kept?.refreshToken !== undefined && { refreshToken: kept.refreshToken }), ...tokens }),
    created_at: before?.created_at ?? at,
    updated_at: at,
    revision: (before?.revision ?? 0) + 1,
  };
}
