import type { Content, FollowUp, MainStep, Next, State } from '../connector.ts';
import { requiredAt } from '../calls/fields.ts';
import { linkBehind } from '../text/link-behind.ts';
import { costOf, spendMillidollars } from './quotas.ts';
import { options } from './options.ts';
import { done, type Progress, readProgress } from './progress.ts';
import { uploadStep } from './upload.ts';
import { xCall } from './x-call.ts';

/** X's flow (platform reference 4.2): upload and describe each image or video, then post. The first comment is a reply to the post. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  const { postId, postUrl } = progress;
  if (postId === undefined) {
    const step = uploadStep(content, progress) ?? createPost(content, progress);
    return { step: { ...step, spends: { quota: spendMillidollars.name, amount: costOf({ ...content, caption: textOf(content) }) } } };
  }
  if (content.firstComment && !progress.replied) return { step: reply(content.firstComment, progress, postId) };
  return { published: { publishId: postId, ...(postUrl !== undefined && { postUrl }) } };
}

export function postUrlOf(username: string, postId: string): string {
  return `https://x.com/${encodeURIComponent(username)}/status/${postId}`;
}

/** The text that is sent to X. */
export function textOf({ caption, link, options: given }: Content): string {
  return link && options.parse(given ?? {}).append_link ? linkBehind(caption, link) : caption;
}

function createPost(content: Content, progress: Progress): MainStep {
  const { reply_settings, made_with_ai, paid_partnership, poll, community_id } = options.parse(content.options ?? {});
  const mediaIds = (progress.uploads ?? []).flatMap(({ id }) => id ?? []);
  return {
    name: 'create_post',
    kind: 'commit',
    async run(call) {
      // X rejects unknown fields, and an empty list of media.
      const json = {
        text: textOf(content),
        ...(mediaIds.length > 0 && { media: { media_ids: mediaIds } }),
        ...(poll && { poll }),
        ...(reply_settings !== undefined && { reply_settings }),
        ...(made_with_ai !== undefined && { made_with_ai }),
        ...(paid_partnership !== undefined && { paid_partnership }),
        ...(community_id !== undefined && { community_id }),
      };
      const response = await xCall(call, { method: 'POST', path: '/tweets', body: { json }, commit: true });
      const postId = requiredAt(response, 'data', 'id');
      return done({ ...progress, postId, postUrl: postUrlOf(call.account.username, postId) });
    },
  };
}

function reply(text: string, progress: Progress, postId: string): FollowUp {
  return {
    name: 'add_first_comment',
    kind: 'follow_up',
    repeatable: false,
    givenUp: { ...progress, replied: true },
    async run(call) {
      const json = { text, reply: { in_reply_to_tweet_id: postId } };
      requiredAt(await xCall(call, { method: 'POST', path: '/tweets', body: { json } }), 'data', 'id');
      return done({ ...progress, replied: true });
    },
  };
}
