import type { Content, FollowUp, Next } from '../connector.ts';
import { at, requiredAt, stringAt, webUrl } from '../calls/fields.ts';
import { refetching } from '../calls/refetching.ts';
import { graphCall } from '../graph/graph-call.ts';
import { isNoSuchObject, isUnfetchedVideo } from './errors.ts';
import { poll } from './limits.ts';
import { done, kindOf, pollAgain, type Progress } from './progress.ts';
import { checkPhases, setCover } from './reel.ts';

type Committed = Progress & { readonly publishId: string };

/** The follow-ups after the post is published. */
export function followUp(content: Content, progress: Committed): Next {
  const kind = kindOf(content);
  const isVideo = kind === 'video' || kind === 'reel';
  if (isVideo && !progress.processed) return { step: awaitProcessing(progress) };
  if (kind === 'video' && content.cover && !progress.covered) {
    const { name, run } = setCover(content.cover, progress, progress.publishId);
    return { step: { name, run, kind: 'follow_up', repeatable: true, givenUp: { ...progress, covered: true } } };
  }
  if (!progress.postUrl && !progress.linked) return { step: readPermalink(progress) };
  if (content.firstComment && !progress.commented) return { step: addComment(content.firstComment, progress) };
  const postUrl = progress.postUrl ?? (kind === 'reel' ? `https://www.facebook.com/reel/${progress.publishId}` : undefined);
  return { published: { publishId: progress.publishId, ...(postUrl !== undefined && { postUrl }) } };
}

function awaitProcessing(progress: Committed): FollowUp {
  return {
    name: 'await_processing',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, processed: true },
    async run(call) {
      const response = await graphCall(call, {
        method: 'GET',
        path: `/${progress.publishId}`,
        query: { fields: 'status,permalink_url,post_id' },
      });
      const status = at(response, 'status');
      // Facebook fetches the file of a video only after the commit. One that it could not fetch was not published: the next attempt posts anew.
      await refetching(progress, isUnfetchedVideo, async () => checkPhases(status), {});
      const finished = stringAt(status, 'publishing_phase', 'status') === 'complete';
      const known = { ...progress, ...found(stringAt(response, 'permalink_url'), stringAt(response, 'post_id')) };
      if (finished || (progress.polls ?? 0) >= poll.maxPolls) return done({ ...known, processed: true });
      return pollAgain(known);
    },
  };
}

function readPermalink(progress: Committed): FollowUp {
  return {
    name: 'read_permalink',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, linked: true },
    async run(call) {
      const response = await graphCall(call, { method: 'GET', path: `/${progress.publishId}`, query: { fields: 'permalink_url' } });
      return done({ ...progress, ...found(stringAt(response, 'permalink_url'), undefined), linked: true });
    },
  };
}

function addComment(message: string, progress: Committed): FollowUp {
  return {
    name: 'add_first_comment',
    kind: 'follow_up',
    repeatable: false,
    givenUp: { ...progress, commented: true },
    async run(call) {
      const comment = async (target: string) =>
        requiredAt(await graphCall(call, { method: 'POST', path: `/${target}/comments`, body: { json: { message } } }), 'id');
      try {
        await comment(progress.publishId);
      } catch (error) {
        // A video is commented on by its own id or its post's; only Facebook knows which. Only a plain "no such object" is retried.
        const post = progress.postId;
        if (post === undefined || !isNoSuchObject(error)) throw error;
        await comment(post.includes('_') ? post : `${call.account.accountId}_${post}`);
      }
      return done({ ...progress, commented: true });
    },
  };
}

/** The permalink of a video is only a path. */
function found(permalink: string | undefined, postId: string | undefined): Pick<Progress, 'postUrl' | 'postId'> {
  const postUrl = webUrl(permalink?.startsWith('/') ? `https://www.facebook.com${permalink}` : permalink);
  return { ...(postUrl !== undefined && { postUrl }), ...(postId !== undefined && { postId }) };
}
