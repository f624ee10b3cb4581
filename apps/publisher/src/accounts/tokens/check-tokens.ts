import { PlatformFailure } from '@fanfare/connectors';
import type { Lease } from '@fanfare/leased-work';
import { now } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { delayMs } from '../../deliveries/domain/decide.ts';
import { emitIntegrationChanged } from '../events/emit-integration-changed.ts';
import { findIntegration, type IntegrationDocument } from '../store/integrations.ts';
import { lockForRefresh, postponeTokenCheck, storeRefreshed } from '../store/token-checks.ts';
import { refreshIntegration, RefreshUnderWay } from './refresh-integration.ts';
import { sameTokens } from './tokens.ts';

const LOCK_MS = 10_000;
/** After this many consecutive failures the account's owner sees the error. */
const FAILURES_BEFORE_REPORT = 3;

/** Checks the tokens of an account that is due: refreshes them, or reports that the account must be reconnected soon or now. */
export async function checkTokens(context: Context, { row: integration, log }: Lease<IntegrationDocument>): Promise<void> {
  try {
    if (integration.refreshable === false) return await reportExpiry(context, integration);
    await refreshIntegration(context, integration);
    log.info('tokens refreshed before they expire');
  } catch (error) {
    if (error instanceof RefreshUnderWay) return;
    if (error instanceof PlatformFailure && error.class === 'token_expired') {
      return log.warn({ detail: error.detail, message: error.message }, 'an account must be reconnected');
    }
    // The network, the platform or our own app failed, not the account, so it stays connected.
    log.warn({ err: error }, 'tokens cannot be refreshed yet');
    await postponeAndReport(context, integration, error);
  }
}

/** For a token that cannot be refreshed: reports that it expires soon, then that it has expired. */
async function reportExpiry(context: Context, integration: IntegrationDocument): Promise<void> {
  const ends = integration.token_expires_at;
  if (!ends || ends > now(integration.organization_id)) {
    return change(context, integration, { status: 'INTEGRATION_STATUS_EXPIRING', token_check_at: ends });
  }
  await markExpired(context, integration, "The platform's access token has expired. Reconnect the account.");
}

/** The account must be reconnected; `lastError` says why. */
export const markExpired = (context: Context, integration: IntegrationDocument, lastError: string): Promise<void> =>
  change(context, integration, { status: 'INTEGRATION_STATUS_EXPIRED', token_check_at: undefined, last_error: lastError });

async function postponeAndReport(context: Context, integration: IntegrationDocument, error: unknown): Promise<void> {
  const failures = (integration.refresh_failures ?? 0) + 1;
  const retryAfterMs = error instanceof PlatformFailure ? error.retryAfterMs : undefined;
  const inMs = delayMs({ failures, jitter: Math.random() }, retryAfterMs) * context.config.timeScale;
  await postponeTokenCheck(context.db, integration, inMs, failures);
  const said = `The access token could not be refreshed yet: ${error instanceof PlatformFailure ? error.message : 'an internal error occurred.'}`;
  if (failures < FAILURES_BEFORE_REPORT || integration.last_error === said) return;
  const current = await findIntegration(context.db, integration._id);
  if (current && sameTokens(context, current, integration)) await change(context, current, { last_error: said });
}

async function change(
  context: Context,
  { _id, revision, organization_id }: IntegrationDocument,
  what: Parameters<typeof storeRefreshed>[3],
): Promise<void> {
  const lockedUntil = await lockForRefresh(context.db, _id, revision, LOCK_MS);
  if (!lockedUntil) return;
  await context.transact(async (session) => {
    const changed = await storeRefreshed(context.db, _id, lockedUntil, what, session, organization_id);
    if (changed) await emitIntegrationChanged(context, session, changed, { flowId: `tokens-${_id}` });
  });
}
