import type { Content, FollowUp, MainStep, Next, State } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { stringAt, unreadable } from '../calls/fields.ts';
import { attachedContent } from './attached-content.ts';
import { isMediaUnready, isTemporaryRejection, repeatedPost } from './errors.ts';
import { linkedinCall } from './linkedin-call.ts';
import { toLittleText } from '../text/little-text.ts';
import { options } from './options.ts';
import { done, type Progress, readProgress } from './progress.ts';
import { uploadStep } from './upload.ts';

/** LinkedIn's flow (platform reference 3.2): upload the media and wait until they are processed, then post. The same for members and pages. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  const { postId } = progress;
  if (postId === undefined) return { step: uploadStep(content, progress) ?? createPost(content, progress) };
  if (content.firstComment && !progress.commented) return { step: comment(content.firstComment, progress, postId) };
  return { published: { publishId: postId, postUrl: `https://www.linkedin.com/feed/update/${postId}/` } };
}

function createPost(content: Content, progress: Progress): MainStep {
  const { visibility } = options.parse(content.options ?? {});
  const attached = attachedContent(content, progress);
  return {
    name: 'create_post',
    kind: 'commit',
    async run(call) {
      const json = {
        author: call.account.accountId,
        commentary: toLittleText(content.caption),
        visibility,
        distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
        lifecycleState: 'PUBLISHED',
        isReshareDisabledByAuthor: false,
        ...(attached && { content: attached }),
      };
      try {
        const { headers } = await linkedinCall(call, { method: 'POST', path: '/posts', body: { json }, commit: true });
        const postId = headers['x-restli-id'];
        if (!postId) throw unreadable('no x-restli-id');
        return done({ ...progress, postId });
      } catch (error) {
        throw error instanceof PlatformFailure && error.effect === 'rejected' ? rejection(error, progress) : error;
      }
    },
  };
}

/** Some rejections are retried from a different state. */
function rejection(failure: PlatformFailure, progress: Progress): PlatformFailure {
  const { message, detail } = failure;
  const repeats = repeatedPost(failure);
  if (repeats !== undefined) {
    return new PlatformFailure('duplicate', message, { effect: 'rejected', detail, retryFrom: { ...progress, repeats } });
  }
  if (isMediaUnready(failure)) {
    const uploads = (progress.uploads ?? []).map((upload) => ({ ...upload, ready: false }));
    return new PlatformFailure('transient', message, { effect: 'rejected', detail, retryFrom: { ...progress, uploads } });
  }
  if (isTemporaryRejection(failure) && !progress.forbidden) {
    return new PlatformFailure('transient', message, { effect: 'rejected', detail, retryFrom: { ...progress, forbidden: true } });
  }
  return failure;
}

function comment(text: string, progress: Progress, postId: string): FollowUp {
  return {
    name: 'add_first_comment',
    kind: 'follow_up',
    repeatable: false,
    givenUp: { ...progress, commented: true },
    async run(call) {
      // Unlike a post's text, a comment is plain text.
      const json = { actor: call.account.accountId, object: postId, message: { text } };
      const path = `/socialActions/${encodeURIComponent(postId)}/comments`;
      const response = await linkedinCall(call, { method: 'POST', path, body: { json } });
      if (!response.headers['x-restli-id'] && !stringAt(response.json, 'id')) throw unreadable('no id of the comment');
      return done({ ...progress, commented: true });
    },
  };
}
