import { createHash } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { CallOptions } from '@fanfare/rpc';
import { currentTime } from '@fanfare/runtime';
import type { Codec } from '@fanfare/contracts';
import type { Context } from '../context.ts';
import { liveReads } from '../metrics.ts';
import type { AccountRef } from './known-account.ts';
import { withAccess, type Lent } from './access.ts';
import { findRead, putRead } from './store/reads.ts';

/** Nobody gets a platform asked more often than that about the same thing, whatever they say. */
const LEAST_AGE_MS = 10_000;

export interface LiveQuestion<T> {
  readonly account: AccountRef;
  /** What is asked, with all that the response depends on. */
  readonly about: readonly unknown[];
  readonly isFresh: boolean;
  readonly freshSeconds: number;
  readonly codec: Codec<T>;
  read(lent: Lent, fetchedAt: Date): Promise<T>;
}

export type LiveReader = <T>(question: LiveQuestion<T>, call: CallOptions['call']) => Promise<T>;

/**
 * Reads from platforms, kindly: what was read a moment ago is returned as it was, what is being read is read once for all who ask, and when the quota
 * of reads is used up the last response stands in. Every response says when it was fetched.
 */
export function createLiveReader(context: Context): LiveReader {
  const underWay = new Map<string, Promise<unknown>>();

  return async function live<T>(question: LiveQuestion<T>, call: CallOptions['call']): Promise<T> {
    const { account, about, isFresh } = question;
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
    const { reading, stored } = begin(question, id, call);
    underWay.set(key, reading);
    void stored.finally(() => underWay.delete(key));
    return reading;
  };

  /** `stored` never rejects: until it settles, whoever asks gets what was read; afterwards it is found in the database. */
  function begin<T>(question: LiveQuestion<T>, id: string, call: CallOptions['call']): { reading: Promise<T>; stored: Promise<void> } {
    const read = answer(question, id, call);
    return {
      reading: read.then(({ value }) => value),
      stored: read.then(
        ({ isNew, fetchedAt, value }) => (isNew ? store(question, id, call, fetchedAt, value) : undefined),
        () => undefined,
      ),
    };
  }

  async function answer<T>(
    { account, isFresh, freshSeconds, codec, read }: LiveQuestion<T>,
    id: string,
    call: CallOptions['call'],
  ): Promise<{ value: T; isNew: boolean; fetchedAt: Date }> {
    const fetchedAt = currentTime();
    const from = (source: string, value: T) => {
      liveReads.inc({ platform: account.platform, from: source });
      return { value, isNew: source === 'platform', fetchedAt };
    };
    const known = await findRead(context.db, id, call.metadata, fetchedAt);
    if (known && known.ageMs < (isFresh ? LEAST_AGE_MS : freshSeconds * 1_000)) return from('cache', codec.decode(known.value));
    try {
      const wanted = { integrationId: account.id, isBackground: false, call };
      return from('platform', await withAccess(context, wanted, (lent) => read(lent, fetchedAt)));
    } catch (error) {
      if (!known || !(error instanceof DomainError) || error.members['quota'] === undefined) throw error;
      return from('old', codec.decode(known.value));
    }
  }

  /** Nobody waits for it: whoever asks next pays if it fails. */
  async function store<T>(
    { account, codec }: LiveQuestion<T>,
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
