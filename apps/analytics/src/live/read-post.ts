import { GetPlatformPostResponse } from '@fanfare/contracts/analytics';
import type { Call } from '@fanfare/rpc';
import type { Config } from '../config.ts';
import type { AccountRef } from './known-account.ts';
import type { LiveReader } from './live-reader.ts';
import { rulesOf } from './rules-of.ts';
import { currentTime } from '@fanfare/runtime';
import { platformPostFrom, unknownPost } from './to-proto.ts';
import { lackOf, switchedOff } from './unavailable.ts';

/** One post of an account, live. Absent if the account has no such post; with nothing but its id if numbers are unavailable. */
export async function readPost(
  { config, live }: { readonly config: Config; readonly live: LiveReader },
  account: AccountRef,
  publishId: string,
  isFresh: boolean,
  call: Call,
): Promise<GetPlatformPostResponse> {
  const { platform } = account;
  if (config.readsOff.has(platform))
    return { post: unknownPost(publishId, platform, currentTime()), unavailableReason: switchedOff(platform) };
  return live(
    {
      account,
      about: ['post', publishId],
      isFresh,
      freshSeconds: rulesOf(platform).freshSeconds,
      codec: GetPlatformPostResponse,
      async read({ integration, reading, call: readCall }, fetchedAt) {
        const lack = lackOf(integration, 'post_stats');
        if (lack !== undefined) return { post: unknownPost(publishId, platform, fetchedAt), unavailableReason: lack };
        const [post] = await reading.readPosts(readCall, [publishId]);
        return { post: post && platformPostFrom(post, platform, fetchedAt), unavailableReason: '' };
      },
    },
    call,
  );
}
