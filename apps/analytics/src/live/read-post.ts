import { GetPlatformPostResponse } from '@fanfare/contracts/analytics';
import type { Call } from '@fanfare/rpc';
import type { Config } from '../config.ts';
import type { AccountRef } from './known-account.ts';
import type { LiveReader } from './live-reader.ts';
import { readCallsOf, rulesOf } from './rules-of.ts';
import { now } from '@fanfare/runtime';
import { platformPostFrom, unknownPost } from './to-proto.ts';
import { orUnavailable, switchedOff } from './unavailable.ts';

/** Live read of one post. Absent if the account has no such post; has only its id if statistics are unavailable. */
export async function readPost(
  { config, live }: { readonly config: Config; readonly live: LiveReader },
  account: AccountRef,
  publishId: string,
  isFresh: boolean,
  call: Call,
): Promise<GetPlatformPostResponse> {
  const { platform } = account;
  const nothing = (unavailableReason: string, at: Date) => ({ post: unknownPost(publishId, platform, at), unavailableReason });
  if (config.readsOff.has(platform)) return nothing(switchedOff(platform), now(call.metadata.organizationId));
  return live(
    {
      account,
      about: ['post', publishId],
      isFresh,
      freshSeconds: rulesOf(platform).freshSeconds,
      mostCalls: readCallsOf(platform).posts(1),
      codec: GetPlatformPostResponse,
      read({ integration, reading, call: readCall }, fetchedAt) {
        return orUnavailable<GetPlatformPostResponse>(
          integration,
          'post_stats',
          (why) => nothing(why, fetchedAt),
          async () => {
            const [post] = await reading.readPosts(readCall, [publishId]);
            return { post: post && platformPostFrom(post, platform, fetchedAt), unavailableReason: post?.unavailable ?? '' };
          },
        );
      },
    },
    call,
  );
}
