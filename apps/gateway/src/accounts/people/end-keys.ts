import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditEntry, type AuditRequest } from '../audit/audit.ts';
import { findActorName } from '../store/actors.ts';
import { lineageOf, listKeysUnder, replaceInLineage } from '../store/api-key-lineages.ts';
import { isWorking, revokeApiKey, type ApiKeyDocument } from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';

/** A key that was revoked or handed over because of a key or a user in its lineage. */
export interface EndedKey {
  readonly key: ApiKeyDocument;
  readonly outcome: 'revoked' | 'handed_over';
}

/** The user or key whose keys are meant, the organization, and who makes the change. */
export interface KeysOf {
  readonly organizationId: string;
  readonly of: string;
  readonly actor: string;
  readonly request: AuditRequest;
}

/** Revokes the keys that a user or key created or took over, and the keys that those created. @returns those that worked */
export async function revokeKeysOf(
  context: Pick<Context, 'db'>,
  { organizationId, of, actor, request }: KeysOf,
  session: ClientSession,
): Promise<EndedKey[]> {
  const { db } = context;
  await lockKeys(db, organizationId, session);
  const keys = (await listKeysUnder(db, organizationId, of, session)).filter(isWorking);
  for (const key of keys) {
    await revokeApiKey(db, key._id, session);
    await recordAudit(context, entryOf('key.revoked', key, { organizationId, actor, request }, { made_by: of }), session);
  }
  return keys.map((key) => ({ key, outcome: 'revoked' }));
}

/** Hands the keys that a user or key created or took over to another owner, who is responsible for them from then on. @returns those that work */
export async function handKeysOver(
  context: Pick<Context, 'db'>,
  { organizationId, of, actor, request }: KeysOf,
  to: readonly string[],
  session: ClientSession,
): Promise<EndedKey[]> {
  const { db } = context;
  await lockKeys(db, organizationId, session);
  const keys = await listKeysUnder(db, organizationId, of, session);
  const [owner = ''] = to;
  const ownerName = await findActorName(db, owner, session);
  for (const key of keys) {
    await replaceInLineage(db, key, of, { by: to, ownerName }, session);
    if (!isWorking(key) || lineageOf(key)[0] !== of) continue;
    await recordAudit(context, entryOf('key.handed_over', key, { organizationId, actor, request }, { from: of, to: owner }), session);
  }
  return keys.filter(isWorking).map((key) => ({ key, outcome: 'handed_over' }));
}

const entryOf = (
  action: string,
  { _id, name }: ApiKeyDocument,
  by: Pick<AuditEntry, 'organizationId' | 'actor' | 'request'>,
  details: Record<string, string>,
): AuditEntry => ({ ...by, action, targetType: 'key', targetId: _id, details: { name, ...details } });
