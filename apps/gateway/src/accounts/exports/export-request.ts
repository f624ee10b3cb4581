import { DomainError, notFound } from '@fanfare/errors';
import { isDuplicateKey, transaction } from '@fanfare/mongo';
import { currentMs, newId } from '@fanfare/runtime';
import { systemCall } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import type { Acting } from '../people/acting.ts';
import { managerNow } from '../people/members.ts';
import { beginExport, findExportTimes, findLatestExport, forgetExport, type ExportDocument } from '../store/exports.ts';

/** Making one reads everything. */
const MOST_A_DAY = 3;
const DAY_MS = 24 * 60 * 60_000;
/** A failure is shown for this long; after that, another one is begun. */
const FAILURE_SHOWN_MS = 60 * 60_000;
const URL_SECONDS = 60 * 60;

/** An export, and where its archive can be downloaded once it is complete. */
export interface ShownExport {
  readonly document: ExportDocument;
  readonly url?: { readonly publicUrl: string; readonly urlExpiresAt: Date | undefined };
}

/**
 * The export that is being made, or the last one until its archive expires; otherwise a new one is begun.
 * @param newerThan begins a new one unless the last one was begun after this time
 * @throws DomainError permission_denied, rate_limit_exceeded
 */
export async function requestExport(
  context: Context,
  acting: Acting & { readonly request: AuditRequest },
  newerThan: Date | undefined,
): Promise<ShownExport> {
  const { db } = context;
  const { organizationId } = acting;
  for (;;) {
    const latest = await findLatestExport(db, organizationId);
    if (!latest || !isCurrent(latest, newerThan)) {
      await begin(context, acting);
      continue;
    }
    if (latest.state !== 'completed') return { document: latest };
    const url = await signedUrl(context, latest);
    if (url) return { document: latest, url };
    // A business was erased, and its data was in the archive.
    await forgetExport(db, latest._id);
  }
}

function isCurrent({ state, created_at, ended_at, expires_at }: ExportDocument, newerThan: Date | undefined): boolean {
  if (state === 'pending') return true;
  if (newerThan && created_at <= newerThan) return false;
  if (state === 'completed') return (expires_at?.getTime() ?? 0) > currentMs();
  return newerThan !== undefined || (ended_at?.getTime() ?? 0) > currentMs() - FAILURE_SHOWN_MS;
}

/** Does nothing if another request has begun one meanwhile. */
async function begin(context: Context, { organizationId, actor, sessionId, request }: Acting & { readonly request: AuditRequest }) {
  const { db, mongo, log, onExportRequested } = context;
  const id = newId();
  try {
    await transaction(mongo.client, async (session) => {
      const [, userId = ''] = actor.split(':');
      const { role } = await managerNow(db, { organizationId, userId, sessionId }, session);
      if (role !== 'owner') throw new DomainError('permission_denied', 'Only owners can export the organization.');
      checkRate(await findExportTimes(db, organizationId, session));
      await beginExport(db, { _id: id, organization_id: organizationId, requested_by: actor }, session);
      const entry = { action: 'organization.exported', targetType: 'organization', targetId: organizationId };
      await recordAudit(context, { organizationId, actor, ...entry, details: { export_id: id }, request }, session);
    });
    log.info({ export_id: id, organization_id: organizationId, actor }, 'export begun');
    for (const notify of onExportRequested) notify();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}

/** @param begun the newest first */
function checkRate(begun: readonly Date[]): void {
  const oldest = begun[MOST_A_DAY - 1];
  if (!oldest) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((oldest.getTime() + DAY_MS - currentMs()) / 1000));
  const detail = `At most ${MOST_A_DAY} exports can be begun in 24 hours (window "export").`;
  throw new DomainError('rate_limit_exceeded', detail, { retryAfterSeconds, members: { window: 'export' } });
}

/** Undefined if the library has no archive any more. */
async function signedUrl({ library }: Context, { _id, organization_id: organizationId }: ExportDocument) {
  const call = { metadata: systemCall('gateway', { organizationId }) };
  return library.signArchiveUrl({ archiveId: _id, validForSeconds: URL_SECONDS }, { call }).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === notFound('archive').code) return undefined;
    throw error;
  });
}
