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

/** Whose key, made by whom, in which operation: the same operation makes one key, however often it is carried out. */
export interface KeyWanted extends Acting {
  readonly operationId: string;
  readonly keyId: string;
  readonly mode: Mode;
  readonly request: AuditRequest;
}

export interface IssuedKey {
  readonly key: ApiKeyDocument;
  /** Shown once. */
  readonly secret: string;
}

/**
 * A key that expires makes none that lives longer: without `expiresAt` both end together.
 * @throws DomainError conflict when the organization has as many keys as it may have; invalid_request for a longer life than the maker's;
 * authentication_required or permission_denied for who may not any more
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
 * Makes a key that takes the place of another, which goes on working for `overlapMs`.
 * @param rotation `expiresAt`: null is never; undefined gives it as long a life as the other one was given
 * @throws DomainError resource_not_found, conflict when the other key has expired, or there are too many; as `createKey`
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
    // By rotating itself a key goes on as it was meant to.
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
  /** Returns whether it is new. */
  put(fields: Pick<ApiKeyDocument, 'name' | 'rotated_from' | 'expires_at'>): Promise<boolean>;
  /** The key that asks, if it is one. */
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
    // Keys of an organization are made one after the other: two at once could both be the hundredth.
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

/** What is left of an overlap is no lifetime: a key that was rotated out already was meant to live longer. */
function sameLifetime({ created_at, expires_at, meant_until = expires_at }: ApiKeyDocument): Date | undefined {
  return meant_until ? new Date(currentMs() + (meant_until.getTime() - created_at.getTime())) : undefined;
}

/** @throws DomainError invalid_request when it would live longer than it may */
function within(limit: Date | undefined, expiresAt: Date | undefined): Date | undefined {
  if (limit === undefined || (expiresAt !== undefined && expiresAt <= limit)) return expiresAt;
  const detail = `The key of this request expires: keys that it creates expire at ${limit.toISOString()} at the latest.`;
  throw new DomainError('invalid_request', detail, { param: 'expires_at' });
}
