import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { CallOptions } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Codec } from '@fanfare/contracts';
import type { Context } from '../context.ts';
import { liveReads } from '../metrics.ts';
import type { AccountRef } from './known-account.ts';
import { withAccess, type Lent } from './access.ts';
import { findRead, putRead } from './store/reads.ts';

/** The same thing is read from a platform at most once in this time, even if a caller wants fresh data. */
const LEAST_AGE_MS = 10_000;

export interface LiveRequest<T> {
  readonly account: AccountRef;
  /** Everything that the response depends on, besides the account. */
  readonly about: readonly unknown[];
  readonly isFresh: boolean;
  readonly freshSeconds: number;
  /** How many calls of the platform the read makes at most. */
  readonly mostCalls: number;
  readonly codec: Codec<T>;
  read(lent: Lent, fetchedAt: Date): Promise<T>;
}

export type LiveReader = <T>(request: LiveRequest<T>, call: CallOptions['call']) => Promise<T>;

/**
 * Reads from platforms with as few calls as possible: recent responses come from the cache, concurrent requests for the same data share one read, and if
 * the read quota is exhausted, the last response is returned. Every response says when it was fetched.
 */
export function createLiveReader(context: Context): LiveReader {
  const underWay = new Map<string, Promise<unknown>>();

  return async function live<T>(request: LiveRequest<T>, call: CallOptions['call']): Promise<T> {
    const { account, about, isFresh } = request;
    const { organizationId, businessId } = call.metadata;
    const id = createHash('sha256')
      .update(JSON.stringify([organizationId, businessId, account.id, ...about]))
      .digest('base64url');
    const key = `${id} ${isFresh}`;
    const other = underWay.get(key) as Promise<T> | undefined;
    if (other) {
      liveReads.inc({ platform: account.platform, from: 'shared' });
      return other;
    }
    const { reading, stored } = begin(request, id, call);
    underWay.set(key, reading);
    void stored.finally(() => underWay.delete(key));
    return reading;
  };

  /** `stored` never rejects. Until it settles, requests for the same data share this read; afterwards they find it in the database. */
  function begin<T>(request: LiveRequest<T>, id: string, call: CallOptions['call']): { reading: Promise<T>; stored: Promise<void> } {
    const read = respond(request, id, call);
    return {
      reading: read.then(({ value }) => value),
      stored: read.then(
        ({ isNew, fetchedAt, value }) => (isNew ? store(request, id, call, fetchedAt, value) : undefined),
        () => undefined,
      ),
    };
  }

  async function respond<T>(
    { account, isFresh, freshSeconds, mostCalls, codec, read }: LiveRequest<T>,
    id: string,
    call: CallOptions['call'],
  ): Promise<{ value: T; isNew: boolean; fetchedAt: Date }> {
    const fetchedAt = now(call.metadata.organizationId);
    const from = (source: string, value: T) => {
      liveReads.inc({ platform: account.platform, from: source });
      return { value, isNew: source === 'platform', fetchedAt };
    };
    const known = await findRead(context.db, id, call.metadata, fetchedAt);
    if (known && known.ageMs < (isFresh ? LEAST_AGE_MS : freshSeconds * 1_000)) return from('cache', codec.decode(known.value));
    try {
      const wanted = { integrationId: account.id, isBackground: false, mostCalls, call };
      return from('platform', await withAccess(context, wanted, (lent) => read(lent, fetchedAt)));
    } catch (error) {
      if (!known || !(error instanceof DomainError) || error.members['quota'] === undefined) throw error;
      return from('old', codec.decode(known.value));
    }
  }

  /** Callers do not wait for this. If it fails, the next request reads the platform again. */
  async function store<T>(
    { account, codec }: LiveRequest<T>,
    id: string,
    { metadata }: CallOptions['call'],
    fetchedAt: Date,
    value: T,
  ): Promise<void> {
    try {
      await putRead(context.db, id, { ...metadata, integrationId: account.id }, fetchedAt, codec.encode(value).finish());
    } catch (error) {
      context.log.warn(
        { err: error, integration_id: account.id, request_id: metadata.requestId },
        'could not cache statistics that were read from a platform',
      );
    }
  }
}
