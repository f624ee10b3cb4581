import { createHash } from 'node:crypto';
import { PlatformFailure, type PostPage, type PostsWanted, type ReadCall, type Reading } from '@fanfare/connectors';
import { ListPlatformPostsResponse } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import { currentTime, now } from '@fanfare/runtime';
import { readCallsOf, rulesOf } from '../live/rules-of.ts';
import { platformPostFrom } from '../live/to-proto.ts';
import { orUnavailable, switchedOff } from '../live/unavailable.ts';
import type { Rpc } from './rpc.ts';

/** Everywhere on earth, the end of today is at most a day away. */
const DAY_MS = 24 * 3_600_000;

export const listPlatformPosts: Rpc<'listPlatformPosts'> =
  ({ config, findAccount, live }) =>
  async ({ integrationId, start, end, pageSize, cursor, isFresh }, call) => {
    const account = await findAccount(integrationId, call);
    const { platform } = account;
    const rules = rulesOf(platform);
    const time = now(account.organizationId);
    if (start && start > time) throw invalid('start_date', 'must not be in the future.');
    if (end && end.getTime() > time.getTime() + DAY_MS) throw invalid('end_date', 'must not be more than a day in the future.');
    if (start && end && start >= end) throw invalid('start_date', 'must be before end_date.');
    const list = [account.id, start, end];
    const platformCursor = cursor === '' ? undefined : cursorIn(cursor, list);
    if (config.readsOff.has(platform)) return nothing(switchedOff(platform));
    const size = Math.min(Math.max(1, pageSize), rules.pageSize);
    return live(
      {
        account,
        about: ['posts', start, end, size, platformCursor],
        isFresh,
        freshSeconds: rules.freshSeconds,
        mostCalls: readCallsOf(platform).list(size),
        codec: ListPlatformPostsResponse,
        read({ integration, reading, call: readCall }, fetchedAt) {
          return orUnavailable<ListPlatformPostsResponse>(integration, 'post_stats', nothing, async () => {
            const until = end && end < currentTime() ? end : undefined;
            const wanted = { from: start, until, pageSize: size, cursor: platformCursor };
            const page = await listFrom(reading, readCall, wanted);
            return {
              posts: page.posts.map((post) => platformPostFrom(post, platform, fetchedAt)),
              nextCursor: page.next === undefined ? '' : cursorOf(page.next, list),
              totalCount: page.totalCount ?? undefined,
              unavailableReason: page.unavailable ?? '',
            };
          });
        },
      },
      call,
    );
  };

const nothing = (unavailableReason: string): ListPlatformPostsResponse => ({
  posts: [],
  nextCursor: '',
  totalCount: undefined,
  unavailableReason,
});

/**
 * A cursor works only for the account and range that it was returned for: its checksum covers these and the platform's own cursor. A cursor grants no
 * access: the platform is read with the account's own token.
 */
export function cursorOf(own: string, list: readonly unknown[]): string {
  const sum = createHash('sha256')
    .update(JSON.stringify([own, list]))
    .digest('base64url')
    .slice(0, 16);
  return `${sum}.${Buffer.from(own).toString('base64url')}`;
}

/** @throws DomainError invalid_request, param `cursor` */
export function cursorIn(cursor: string, list: readonly unknown[]): string {
  const own = Buffer.from(cursor.slice(cursor.indexOf('.') + 1), 'base64url').toString();
  // Decoding ignores characters outside base64url, so that it accepts several spellings. A cursor has only one.
  if (own === '' || cursorOf(own, list) !== cursor) {
    throw invalid('cursor', 'must be the next_cursor of the previous page, with the same account and dates.');
  }
  return own;
}

/** The cursors of platforms expire, or become invalid when the post at which they point is deleted. */
async function listFrom(reading: Reading, call: ReadCall, wanted: PostsWanted): Promise<PostPage> {
  try {
    return await reading.listPosts(call, wanted);
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.class !== 'validation' || wanted.cursor === undefined) throw error;
    throw invalid('cursor', 'is no longer accepted by the platform. Start again from the first page.');
  }
}

const invalid = (param: string, detail: string) => new DomainError('invalid_request', `${param} ${detail}`, { param });
