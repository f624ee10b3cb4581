import type { Content, FollowUp, Next } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, requiredAt, stringAt } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { rules } from './errors.ts';
import { API_URL, poll } from './limits.ts';
import { metadataOf } from './metadata.ts';
import { done, type Progress } from './progress.ts';

type Committed = Progress & { readonly videoId: string };

/** The follow-ups after the video is published. */
export function followUp(content: Content, progress: Committed): Next {
  if (!progress.processed) return { step: awaitProcessing(content, progress) };
  if (content.firstComment && !progress.commented) return { step: addComment(content, content.firstComment, progress) };
  return { published: { publishId: progress.videoId, postUrl: `https://www.youtube.com/watch?v=${progress.videoId}` } };
}

/** The video is public before it is processed; this detects that YouTube rejects it. */
function awaitProcessing(content: Content, progress: Committed): FollowUp {
  const finished = { ...progress, processed: true };
  return {
    name: 'await_processing',
    kind: 'follow_up',
    repeatable: true,
    givenUp: finished,
    async run(call) {
      const query = { part: 'status,processingDetails', id: progress.videoId };
      const response = await googleCall(call, { method: 'GET', url: `${API_URL}/videos`, query }, rules);
      const status = at(listAt(response, 'items')[0], 'status');
      const uploadStatus = stringAt(status, 'uploadStatus');
      checkStatus(uploadStatus, stringAt(status, 'failureReason') ?? stringAt(status, 'rejectionReason'));
      const polls = (progress.polls ?? 0) + 1;
      if (uploadStatus !== 'processed' && polls <= poll.maxPolls) {
        return done({ ...progress, polls }, poll.delaysMs[polls - 1] ?? poll.delaysMs.at(-1));
      }
      checkPrivacy(metadataOf(content).status.privacyStatus, stringAt(status, 'privacyStatus'));
      return done(finished);
    },
  };
}

function addComment(content: Content, text: string, progress: Committed): FollowUp {
  const finished = { ...progress, commented: true };
  return {
    name: 'add_first_comment',
    kind: 'follow_up',
    repeatable: false,
    givenUp: finished,
    async run(call) {
      if (metadataOf(content).status.selfDeclaredMadeForKids) {
        throw new PlatformFailure('validation', 'A video that is made for kids cannot have comments.', { effect: 'not_sent' });
      }
      const json = { snippet: { videoId: progress.videoId, topLevelComment: { snippet: { textOriginal: text } } } };
      const request = { method: 'POST', url: `${API_URL}/commentThreads`, query: { part: 'snippet' }, body: { json } } as const;
      requiredAt(await googleCall(call, request, rules), 'id');
      return done(finished);
    },
  };
}

/** @throws PlatformFailure `media_processing_failed`: there is no post, even if YouTube calls it a duplicate */
function checkStatus(uploadStatus: string | undefined, reason: string | undefined): void {
  if (uploadStatus !== 'failed' && uploadStatus !== 'rejected' && uploadStatus !== 'deleted') return;
  const what = { failed: 'could not process', rejected: 'rejected', deleted: 'deleted' }[uploadStatus];
  throw new PlatformFailure('media_processing_failed', `YouTube ${what} the video${reason === undefined ? '' : `: ${reason}`}.`, {
    effect: 'rejected',
    detail: { uploadStatus, reason },
  });
}

/** Videos of a project that has not passed YouTube's audit are locked as private. The post exists, but its author must know. */
function checkPrivacy(requested: string, is: string | undefined): void {
  if (is !== 'private' || requested === 'private') return;
  throw new PlatformFailure(
    'permission',
    `YouTube keeps the video private instead of ${requested}. Our project may not have passed YouTube's audit.`,
    {
      effect: 'rejected',
      detail: { operator: 'audit' },
    },
  );
}
