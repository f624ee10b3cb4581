import { aboutOption, listedAt } from '../checks/about-option.ts';
import { checkOptions } from '../checks/check-options.ts';
import type { Content, MainStep } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, numberAt, stringAt } from '../calls/fields.ts';
import { check } from './check.ts';
import { limits } from './limits.ts';
import { options } from './options.ts';
import { done, isVideo, type Progress } from './progress.ts';
import { tiktokCall } from './tiktok-call.ts';

/** Reads what the account may do, as TikTok requires before each post, and checks the post against it. */
export function queryCreator(content: Content, progress: Progress): MainStep {
  return {
    name: 'query_creator_info',
    kind: 'prepare',
    async run(call) {
      const privacy = chosenPrivacy(content);
      const { json } = await tiktokCall(call, { path: '/post/publish/creator_info/query/' });
      const creator = at(json, 'data');
      const offered = listAt(creator, 'privacy_level_options');
      if (!offered.includes(privacy))
        throw wrong(
          aboutOption('privacy_level', `this account offers ${offered.join(', ')}, but not ${privacy}`, listedAt('privacy_level')),
        );
      const maxMs = (numberAt(creator, 'max_video_post_duration_sec') ?? Infinity) * 1_000;
      const durationMs = isVideo(content) ? (content.media[0]?.durationMs ?? 0) : 0;
      if (durationMs > maxMs) throw wrong(`media.0: ${durationMs} ms long; at most ${maxMs} ms are allowed for this account.`);
      const username = stringAt(creator, 'creator_username');
      return done({
        ...progress,
        creator: {
          ...(username !== undefined && { username }),
          commentDisabled: at(creator, 'comment_disabled') === true,
          duetDisabled: at(creator, 'duet_disabled') === true,
          stitchDisabled: at(creator, 'stitch_disabled') === true,
          isPublic: privacy === 'PUBLIC_TO_EVERYONE',
        },
      });
    },
  };
}

/** Repeats the preflight check: the settings may have changed since. */
function chosenPrivacy(content: Content): string {
  const [finding] = [...checkOptions({ options, limits }, content.options), ...check(content)];
  const { privacy_level } = options.safeParse(content.options ?? {}).data ?? {};
  if (finding || privacy_level === undefined) throw wrong(`${finding?.field}: ${finding?.message}`);
  return privacy_level;
}

function wrong(message: string): PlatformFailure {
  return new PlatformFailure('validation', message, { effect: 'not_sent' });
}
