import { PlatformFailure, type PostPage, type PostsWanted, type ReadCall, type Reading } from '@fanfare/connectors';
import { ListPlatformPostsResponse, type ListPlatformPostsRequest } from '@fanfare/contracts/analytics';
import { DomainError } from '@fanfare/errors';
import type { Call } from '@fanfare/rpc';
import { currentTime, now } from '@fanfare/runtime';
import type { Config } from '../config.ts';
import type { AccountRef } from './known-account.ts';
import type { LiveReader } from './live-reader.ts';
import { cursorIn, cursorOf } from './post-cursor.ts';
import { readCallsOf, rulesOf } from './rules-of.ts';
import { platformPostFrom } from './to-proto.ts';
import { orUnavailable, switchedOff } from './unavailable.ts';

/** Everywhere on earth, the end of today is at most a day away. */
const DAY_MS = 24 * 3_600_000;

/**
 * Live read of a page of an account's posts.
 * @throws DomainError invalid_request
 */
export async function listPosts(
  { config, live }: { readonly config: Config; readonly live: LiveReader },
  account: AccountRef,
  { start, end, pageSize, cursor, isFresh }: ListPlatformPostsRequest,
  call: Call,
): Promise<ListPlatformPostsResponse> {
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
}

const nothing = (unavailableReason: string): ListPlatformPostsResponse => ({
  posts: [],
  nextCursor: '',
  totalCount: undefined,
  unavailableReason,
});

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
