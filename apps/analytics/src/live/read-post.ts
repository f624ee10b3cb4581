import { GetPlatformPostResponse } from '@fanfare/contracts/analytics';
import type { Call } from '@fanfare/rpc';
import type { Config } from '../config.ts';
import type { AccountRef } from './known-account.ts';
import type { LiveReader } from './live-reader.ts';
import { rulesOf } from './rules-of.ts';
import { platformPostFrom } from './to-proto.ts';
import { lackOf, switchedOff } from './unavailable.ts';

/** One post of an account, live. Without a post and without a reason the account has no such post. */
export async function readPost(
  { config, live }: { readonly config: Config; readonly live: LiveReader },
  account: AccountRef,
  publishId: string,
  isFresh: boolean,
  call: Call,
): Promise<GetPlatformPostResponse> {
  const { platform } = account;
  if (config.readsOff.has(platform)) return { post: undefined, unavailableReason: switchedOff(platform) };
  return live(
    {
      account,
      about: ['post', publishId],
      isFresh,
      freshSeconds: rulesOf(platform).freshSeconds,
      codec: GetPlatformPostResponse,
      async read({ integration, reading, call: readCall }, fetchedAt) {
        const lack = lackOf(integration, 'post_stats');
        if (lack !== undefined) return { post: undefined, unavailableReason: lack };
        const [post] = await reading.readPosts(readCall, [publishId]);
        return { post: post && platformPostFrom(post, platform, fetchedAt), unavailableReason: '' };
      },
    },
    call,
  );
}
