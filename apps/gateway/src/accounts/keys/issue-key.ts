import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { currentMs, currentTime, derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { recordAudit, type AuditRequest } from '../audit/audit.ts';
import { checkActing, type Acting } from '../people/acting.ts';
import { findActorName } from '../store/actors.ts';
import { lineageUnder } from '../store/api-key-lineages.ts';
import {
  countWorkingApiKeys,
  expireApiKey,
  findShownApiKey,
  findWorkingApiKey,
  putApiKey,
  type ApiKeyDocument,
} from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';
import { derivedApiKey, hashApiKey, hintOf, type Mode } from './api-key.ts';

export const MAX_WORKING_KEYS = 100;

/** The key to create, its organization, who creates it, and the operation. A repeated operation creates no second key. */
export interface KeyWanted extends Acting {
  readonly operationId: string;
  readonly keyId: string;
  readonly mode: Mode;
  readonly request: AuditRequest;
}

export interface IssuedKey {
  readonly key: ApiKeyDocument;
  /** Returned only once. */
  readonly secret: string;
}

/**
 * Creates a key. A key that expires cannot create one that expires later: without `expiresAt` both expire at the same time.
 * @throws DomainError conflict if the organization has the maximum number of keys; invalid_request if `expiresAt` is later than the creating key's;
 * authentication_required or permission_denied if the caller has lost its permission
 */
export async function createKey(
  context: Context,
  wanted: KeyWanted,
  named: { name: string; expiresAt?: Date | undefined },
): Promise<IssuedKey> {
  const { name } = named;
  return issue(context, wanted, async ({ put, maker }) => {
    const expiresAt = within(maker?.expires_at, named.expiresAt ?? maker?.expires_at);
    const isNew = await put({ name, ...(expiresAt && { expires_at: expiresAt }) });
    return isNew
      ? { action: 'key.created', targetId: wanted.keyId, details: { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) } }
      : undefined;
  });
}

/**
 * Creates a key that replaces another one, which works for `overlapMs` more.
 * @param rotation `expiresAt`: null means never; undefined means the same lifetime as that of the other key
 * @throws DomainError resource_not_found, conflict if the other key has expired or there are too many keys; and as `createKey`
 */
export async function rotateKey(
  context: Context,
  wanted: KeyWanted,
  rotation: { keyId: string; overlapMs: number; expiresAt?: Date | null | undefined },
): Promise<IssuedKey> {
  const { db } = context;
  const { keyId, overlapMs, expiresAt } = rotation;
  return issue(context, wanted, async ({ put, maker }, session) => {
    const old = await findShownApiKey(db, wanted.organizationId, keyId, session);
    if (!old) throw notFound('key');
    const wasWorking = await findWorkingApiKey(db, wanted.organizationId, keyId, session);
    const lifetime = sameLifetime(old);
    // A key that rotates itself may keep its original lifetime.
    const limit = maker?._id === keyId ? lifetime : maker?.expires_at;
    const expires = within(limit, expiresAt === undefined ? lifetime : (expiresAt ?? undefined));
    const isNew = await put({ name: old.name, rotated_from: keyId, ...(expires && { expires_at: expires }) });
    if (!isNew) return undefined;
    if (!wasWorking) throw new DomainError('conflict', 'This key has expired. Create a new one instead.', { param: 'key_id' });
    await expireApiKey(db, keyId, overlapMs, session);
    return {
      action: 'key.rotated',
      targetId: keyId,
      details: { name: old.name, new_key_id: wanted.keyId, overlap_seconds: String(overlapMs / 1000) },
    };
  });
}

interface Issuing {
  /** Stores the key. Returns whether it is new. */
  put(fields: Pick<ApiKeyDocument, 'name' | 'rotated_from' | 'expires_at'>): Promise<boolean>;
  /** The key that creates the new one, if the caller is a key. */
  readonly maker: ApiKeyDocument | undefined;
}
type Done = { action: string; targetId: string; details: Record<string, string> } | undefined;

async function issue(
  context: Context,
  wanted: KeyWanted,
  work: (issuing: Issuing, session: ClientSession) => Promise<Done>,
): Promise<IssuedKey> {
  const { db, mongo, keyring } = context;
  const { operationId, keyId, organizationId, actor, request } = wanted;
  const secret = derivedApiKey(wanted.mode, keyring, operationId);
  return transaction(mongo.client, async (session) => {
    // Keys of an organization are created one at a time, so that concurrent calls cannot exceed the limit.
    await lockKeys(db, organizationId, session);
    const maker = await checkActing(db, wanted, session);
    const createdByName = await findActorName(db, actor, session);
    let stored: ApiKeyDocument | undefined;
    const put: Issuing['put'] = async (fields) => {
      const { key, isNew } = await putApiKey(
        db,
        {
          _id: keyId,
          organization_id: organizationId,
          secret_hash: hashApiKey(secret),
          hint: hintOf(secret),
          created_at: currentTime(),
          created_by: actor,
          lineage: lineageUnder(actor, maker),
          ...(createdByName !== undefined && { created_by_name: createdByName }),
          ...fields,
        },
        session,
      );
      stored = key;
      return isNew;
    };
    const done = await work({ put, maker }, session);
    if (!stored) throw new Error('No key was stored.');
    if (!done) return { key: stored, secret };
    if ((await countWorkingApiKeys(db, organizationId, session)) > MAX_WORKING_KEYS) {
      throw new DomainError('conflict', `An organization can have ${MAX_WORKING_KEYS} active API keys. Revoke one first.`);
    }
    await recordAudit(
      context,
      { id: derivedId(operationId, 'audit'), organizationId, actor, targetType: 'key', ...done, request },
      session,
    );
    return { key: stored, secret };
  });
}

/** The original lifetime of a key: the rest of its overlap, if it was rotated already, does not count. */
function sameLifetime({ created_at, expires_at, meant_until = expires_at }: ApiKeyDocument): Date | undefined {
  return meant_until ? new Date(currentMs() + (meant_until.getTime() - created_at.getTime())) : undefined;
}

/** @throws DomainError invalid_request if `expiresAt` is later than the limit */
function within(limit: Date | undefined, expiresAt: Date | undefined): Date | undefined {
  if (limit === undefined || (expiresAt !== undefined && expiresAt <= limit)) return expiresAt;
  const detail = `The key of this request expires: keys that it creates expire at ${limit.toISOString()} at the latest.`;
  throw new DomainError('invalid_request', detail, { param: 'expires_at' });
}
