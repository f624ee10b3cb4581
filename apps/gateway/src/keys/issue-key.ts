import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { derivedApiKey, hashApiKey, hintOf, type Mode } from '../api-key.ts';
import { recordAudit, type AuditRequest } from '../audit.ts';
import type { Context } from '../context.ts';
import { managerNow } from '../identity/members.ts';
import { findActorName } from '../store/actors.ts';
import { countWorkingApiKeys, expireApiKey, findShownApiKey, isWorkingApiKey, putApiKey, type ApiKeyDocument } from '../store/api-keys.ts';
import { lockKeys } from '../store/organizations.ts';

export const MAX_WORKING_KEYS = 100;

/** Whose key, made by whom, in which operation: the same operation makes one key, however often it is carried out. */
export interface KeyWanted {
  readonly operationId: string;
  readonly keyId: string;
  readonly organizationId: string;
  readonly mode: Mode;
  readonly actor: string;
  readonly request: AuditRequest;
}

export interface IssuedKey {
  readonly key: ApiKeyDocument;
  /** Shown once. */
  readonly secret: string;
}

/** @throws DomainError conflict when the organization has as many keys as it may have */
export async function createKey(
  context: Context,
  wanted: KeyWanted,
  named: { name: string; expiresAt?: Date | undefined },
): Promise<IssuedKey> {
  const { name, expiresAt } = named;
  return issue(context, wanted, async (put) => {
    const isNew = await put({ name, ...(expiresAt && { expires_at: expiresAt }) });
    return isNew
      ? { action: 'key.created', targetId: wanted.keyId, details: { name, ...(expiresAt && { expires_at: expiresAt.toISOString() }) } }
      : undefined;
  });
}

/**
 * Makes a key that takes the place of another, which goes on working for `overlapMs`.
 * @param rotation `expiresAt`: null is never; undefined gives it as long a life as the other one was given
 * @throws DomainError resource_not_found, conflict when the other key has expired, or there are too many
 */
export async function rotateKey(
  context: Context,
  wanted: KeyWanted,
  rotation: { keyId: string; overlapMs: number; expiresAt?: Date | null | undefined },
): Promise<IssuedKey> {
  const { db } = context;
  const { keyId, overlapMs, expiresAt } = rotation;
  return issue(context, wanted, async (put, session) => {
    const old = await findShownApiKey(db, wanted.organizationId, keyId, session);
    if (!old) throw notFound('key');
    const wasWorking = await isWorkingApiKey(db, keyId, session);
    const expires = expiresAt === undefined ? sameLifetime(old) : expiresAt;
    const isNew = await put({ name: old.name, rotated_from: keyId, ...(expires && { expires_at: expires }) });
    if (!isNew) return undefined;
    if (!wasWorking) throw new DomainError('conflict', 'This key has expired: create a new one instead.', { param: 'key_id' });
    await expireApiKey(db, keyId, overlapMs, session);
    return {
      action: 'key.rotated',
      targetId: keyId,
      details: { name: old.name, new_key_id: wanted.keyId, overlap_seconds: String(overlapMs / 1000) },
    };
  });
}

type Put = (fields: Pick<ApiKeyDocument, 'name' | 'rotated_from' | 'expires_at'>) => Promise<boolean>;
type Done = { action: string; targetId: string; details: Record<string, string> } | undefined;

async function issue(context: Context, wanted: KeyWanted, work: (put: Put, session: ClientSession) => Promise<Done>): Promise<IssuedKey> {
  const { db, mongo, keyring } = context;
  const { operationId, keyId, organizationId, actor, request } = wanted;
  const secret = derivedApiKey(wanted.mode, keyring, operationId);
  return transaction(mongo.client, async (session) => {
    // Keys of an organization are made one after the other: two at once could both be the hundredth.
    await lockKeys(db, organizationId, session);
    // The key would outlive the role of who asks for it by what they are not any more.
    const [kind, userId = ''] = actor.split(':');
    if (kind === 'user') await managerNow(db, { organizationId, userId }, session);
    const createdByName = await findActorName(db, actor, session);
    let stored: ApiKeyDocument | undefined;
    const done = await work(async (fields) => {
      const { key, isNew } = await putApiKey(
        db,
        {
          _id: keyId,
          organization_id: organizationId,
          secret_hash: hashApiKey(secret),
          hint: hintOf(secret),
          created_at: new Date(),
          created_by: actor,
          ...(createdByName !== undefined && { created_by_name: createdByName }),
          ...fields,
        },
        session,
      );
      stored = key;
      return isNew;
    }, session);
    if (!stored) throw new Error('No key was stored.');
    if (!done) return { key: stored, secret };
    if ((await countWorkingApiKeys(db, organizationId, session)) > MAX_WORKING_KEYS) {
      throw new DomainError('conflict', `An organization has at most ${MAX_WORKING_KEYS} working API keys: revoke one first.`);
    }
    await recordAudit(
      context,
      { id: derivedId(operationId, 'audit'), organizationId, actor, targetType: 'key', ...done, request },
      session,
    );
    return { key: stored, secret };
  });
}

/** What is left of an overlap is no lifetime: a key that was rotated out already was meant to live longer. */
function sameLifetime({ created_at, expires_at, meant_until = expires_at }: ApiKeyDocument): Date | undefined {
  return meant_until ? new Date(Date.now() + (meant_until.getTime() - created_at.getTime())) : undefined;
}
