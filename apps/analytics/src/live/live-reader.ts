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
    const reading = answer(question, id, call);
    underWay.set(key, reading);
    try {
      return await reading;
    } finally {
      underWay.delete(key);
    }
  };

  async function answer<T>(
    { account, isFresh, freshSeconds, codec, read }: LiveQuestion<T>,
    id: string,
    call: CallOptions['call'],
  ): Promise<T> {
    const count = (from: string) => liveReads.inc({ platform: account.platform, from });
    const stored = await findRead(context.db, id, call.metadata, currentTime());
    if (stored && stored.ageMs < (isFresh ? LEAST_AGE_MS : freshSeconds * 1_000)) {
      count('cache');
      return codec.decode(stored.value);
    }
    try {
      const fetchedAt = currentTime();
      const wanted = { integrationId: account.id, isBackground: false, call };
      const value = await withAccess(context, wanted, (lent) => read(lent, fetchedAt));
      await putRead(context.db, id, { ...call.metadata, integrationId: account.id }, fetchedAt, codec.encode(value).finish());
      count('platform');
      return value;
    } catch (error) {
      if (!stored || !(error instanceof DomainError) || error.members['quota'] === undefined) throw error;
      count('old');
      return codec.decode(stored.value);
    }
  }
}
