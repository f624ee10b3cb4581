import { after, pageOf, parsePageToken, type Page } from '@fanfare/mongo';
import type { ClientSession, Db } from 'mongodb';

/** An entry of the audit log. Entries never change. */
export interface AuditEntryDocument {
  _id: string;
  /** Null if it belongs to no organization, such as a failed sign-in. */
  organization_id: string | null;
  /** `area.verb`, past tense: key.created. */
  action: string;
  /** `key:<id>`, `user:<id>`, `system` or `anonymous`. */
  actor: string;
  /** The name of the actor at that time. */
  actor_name?: string;
  target_type?: string;
  target_id?: string;
  /** Never a secret. */
  details: Record<string, string>;
  ip?: string;
  user_agent?: string;
  request_id: string;
  created_at: Date;
}

/** Somewhat more than a year, so that the same month of the previous year is still visible. */
const KEPT_DAYS = 400;

const auditEntries = (db: Db) => db.collection<AuditEntryDocument>('audit_entries');

export async function createAuditEntryIndexes(db: Db): Promise<void> {
  await auditEntries(db).createIndexes([
    { key: { organization_id: 1, created_at: -1, _id: -1 } },
    { key: { organization_id: 1, action: 1, created_at: -1, _id: -1 } },
    { key: { organization_id: 1, actor: 1, created_at: -1, _id: -1 } },
    { key: { created_at: 1 }, expireAfterSeconds: KEPT_DAYS * 24 * 60 * 60 },
  ]);
}

/** An existing entry does not change. */
export async function insertAuditEntry(db: Db, { _id, ...rest }: AuditEntryDocument, session?: ClientSession): Promise<void> {
  await auditEntries(db).updateOne({ _id }, { $setOnInsert: rest }, { upsert: true, ...(session && { session }) });
}

interface AuditFilter {
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  /** Inclusive. */
  readonly from?: Date | undefined;
  /** Exclusive. */
  readonly to?: Date | undefined;
}

/** Newest first. */
export async function listAuditEntries(
  db: Db,
  organizationId: string,
  filter: AuditFilter,
  { pageSize, pageToken }: { pageSize: number; pageToken: string },
): Promise<Page<AuditEntryDocument>> {
  const { action, actor, from, to } = filter;
  const binding = ['audit', organizationId, action, actor, from, to];
  const rows = await auditEntries(db)
    .find({
      organization_id: organizationId,
      ...(action !== undefined && { action }),
      ...(actor !== undefined && { actor }),
      $and: [
        ...(from ? [{ created_at: { $gte: from } }] : []),
        ...(to ? [{ created_at: { $lt: to } }] : []),
        after(parsePageToken(pageToken, binding)),
      ],
    })
    .sort({ created_at: -1, _id: -1 })
    .limit(pageSize + 1)
    .toArray();
  return pageOf(rows, pageSize, binding);
}
