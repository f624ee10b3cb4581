import { connectors, PlatformFailure, type Connector } from '@fanfare/connectors';
import { LeaseLost, type Lease } from '@fanfare/leased-work';
import { now } from '@fanfare/runtime';
import { callPlatform } from '../accounts/call-platform.ts';
import { isExpiring } from '../accounts/domain/is-expiring.ts';
import { readIntegration, type IntegrationDocument } from '../accounts/store/integrations.ts';
import { refreshIntegration, RefreshUnderWay } from '../accounts/tokens/refresh-integration.ts';
import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { ErrorType } from '../deliveries/domain/error-type.ts';
import { finalMessageOf, messageOf } from '../deliveries/domain/message-of.ts';
import { findDelivery } from '../deliveries/store/inspected-deliveries.ts';
import { emitRemovalChanged } from '../events.ts';
import { removalCalls, removalsEnded } from '../metrics.ts';
import { isPaused } from '../pauses/domain/paused.ts';
import { decideRemoval } from './domain/decide-removal.ts';
import { failedEntries, failureEntries, pausedEntries, removedEntries, type RemovalEntries } from './domain/removal-entries.ts';
import {
  endRemoval,
  isPauseRecorded,
  postponeForPause,
  postponeAfterFailure,
  removalRows,
  type RemovalDocument,
  type RemovalEnd,
} from './store/removals.ts';

/** How long a removal waits before it looks again: for its delivery, for the end of a pause, and for another process's refresh of the tokens. */
const DELIVERY_WAIT_MS = 2_000;
const PAUSED_MS = 10_000;
const REFRESH_WAIT_MS = 1_000;
/** Shorter waits are not reported. */
const MIN_REPORTED_WAIT_MS = 10_000;

/**
 * Makes the platform delete a published post. The call is repeatable, and counts as done only if the platform says so: whatever happens here, another
 * process can make it again from the row.
 */
export async function remove(context: Removing, lease: Lease<RemovalDocument>): Promise<void> {
  const { row } = lease;
  const { db, config } = context;
  // Content requests removals of ended deliveries only. Nothing is deleted while a delivery may still follow up, or publish again.
  if ((await findDelivery(db, row.delivery_id))?.open) return removalRows.postponeInRealTime(db, row, DELIVERY_WAIT_MS * config.timeScale);
  if (isPaused(await context.paused(), row)) return waitForPause(context, row);
  const integration = await readIntegration(db, row.integration_id);
  const possible = checkPossible(row, integration);
  if ('status' in possible) return end(context, lease, possible);
  try {
    await deletePost(context, row, possible);
  } catch (error) {
    return afterFailure(context, lease, error);
  }
  await end(context, lease, { status: 'REMOVAL_STATUS_REMOVED' }, removedEntries);
}

/** Writes what a removal that takes a post back means for its delivery: its end, and why it waits for long. */
export interface TakingBack {
  end(context: Context, row: RemovalDocument, end: RemovalEnd, session: ClientSession): Promise<void>;
  wait(context: Context, row: RemovalDocument, detail: string, session: ClientSession): Promise<void>;
}

type Removing = Context & { readonly takingBack: TakingBack };

async function waitForPause({ db, config, transact }: Removing, row: RemovalDocument): Promise<void> {
  const inMs = PAUSED_MS * config.timeScale;
  if (isPauseRecorded(row)) return removalRows.postponeInRealTime(db, row, inMs);
  await transact(async (session) => void (await postponeForPause(db, row, { inMs, entries: pausedEntries }, session)));
}

interface Possible {
  readonly integration: IntegrationDocument;
  readonly unpublish: NonNullable<Connector['unpublish']>;
  readonly publishId: string;
}

function checkPossible({ platform, publish_id }: RemovalDocument, integration: IntegrationDocument | null): Possible | RemovalEnd {
  // Content may run a newer version, which knows more platforms.
  const unpublish = Object.hasOwn(connectors, platform) ? connectors[platform].unpublish : undefined;
  if (!unpublish) return failed('validation_failed', 'This platform does not let apps delete posts.');
  if (publish_id === undefined) return failed('unknown_outcome', 'The platform did not report the id of this post.');
  if (!integration || integration.status === 'INTEGRATION_STATUS_DISCONNECTED') {
    return failed('permission_denied', 'This account is no longer connected.');
  }
  if (integration.status === 'INTEGRATION_STATUS_EXPIRED') return failed('token_expired', 'This account has to be reconnected.');
  return { integration, unpublish, publishId: publish_id };
}

async function deletePost(
  context: Removing,
  { platform }: RemovalDocument,
  { integration, unpublish, publishId }: Possible,
): Promise<void> {
  const current = isExpiring(integration) ? await refreshed(context, integration) : integration;
  const stop = removalCalls.startTimer({ platform });
  try {
    await callPlatform(context, current, (call) => unpublish(call, publishId));
    stop({ outcome: 'ok' });
  } catch (error) {
    stop({ outcome: error instanceof PlatformFailure ? error.class : 'failed' });
    throw error;
  }
}

/** Refreshed ahead if that is possible now; if the old token has ended, the platform rejects it, and the refresh that follows says why. */
async function refreshed(context: Removing, integration: IntegrationDocument): Promise<IntegrationDocument> {
  try {
    return await refreshIntegration(context, integration);
  } catch (error) {
    if (error instanceof PlatformFailure || error instanceof RefreshUnderWay) return integration;
    throw error;
  }
}

async function afterFailure(context: Removing, { row, log }: Lease<RemovalDocument>, error: unknown): Promise<void> {
  const { db, config } = context;
  if (error instanceof LeaseLost) throw error;
  if (error instanceof RefreshUnderWay) return removalRows.postponeInRealTime(db, row, REFRESH_WAIT_MS * config.timeScale);
  const failure = error instanceof PlatformFailure ? error : internalFailure(error);
  const decision = decideRemoval(failure, {
    failures: row.failures,
    dueForMs: now(row.organization_id).getTime() - row.created_at.getTime(),
    jitter: Math.random(),
  });
  log[failure.detail['operator'] === undefined ? 'warn' : 'error'](
    { err: error, failure: failure.class, effect: failure.effect, detail: failure.detail, decision: decision.kind },
    'a published post could not be deleted',
  );
  const detail = messageOf(failure);
  if (decision.kind === 'fail')
    return end(context, { row, log }, failed(decision.errorType, finalMessageOf(failure)), failureEntries(failure));
  const inMs = decision.inMs * config.timeScale;
  const isReported = decision.inMs >= MIN_REPORTED_WAIT_MS && row.detail !== detail;
  const entries = failureEntries(failure, new Date(now(row.organization_id).getTime() + inMs));
  await context.transact(async (session) => {
    const after = await postponeAfterFailure(db, row, { inMs, entries, ...(isReported && { detail }) }, session);
    if (isReported)
      await (row.takes_back ? context.takingBack.wait(context, row, detail, session) : emitRemovalChanged(db, session, after));
  });
}

/** The result and its event are one transaction. */
async function end(
  context: Removing,
  { row, log }: Pick<Lease<RemovalDocument>, 'row' | 'log'>,
  how: RemovalEnd,
  attempt: RemovalEntries = [],
): Promise<void> {
  const isRemoved = how.status === 'REMOVAL_STATUS_REMOVED';
  const entries = isRemoved ? attempt : [...attempt, ...failedEntries(how.error_type, how.detail)];
  await context.transact(async (session) => {
    const ended = await endRemoval(context.db, row, { end: how, entries }, session);
    await (row.takes_back ? context.takingBack.end(context, row, how, session) : emitRemovalChanged(context.db, session, ended));
  });
  removalsEnded.inc({ platform: row.platform, outcome: isRemoved ? 'removed' : how.error_type });
  log.info(
    { failures: row.failures, ...(!isRemoved && { error_type: how.error_type, detail: how.detail }) },
    isRemoved ? 'post removed' : 'removal failed',
  );
}

const failed = (error_type: ErrorType, detail: string): RemovalEnd => ({ status: 'REMOVAL_STATUS_FAILED', error_type, detail });

const internalFailure = (cause: unknown) => new PlatformFailure('transient', 'An internal error occurred.', { effect: 'unknown', cause });
