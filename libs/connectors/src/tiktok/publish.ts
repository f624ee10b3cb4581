import type { Content, FollowUp, MainStep, Next, State, StepResult } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { requiredAt, stringAt } from '../calls/fields.ts';
import { drafts, posts } from './quotas.ts';
import { queryCreator } from './creator.ts';
import { publishingFailure } from './errors.ts';
import { MAX_ID_POLLS, poll, WEB_URL } from './limits.ts';
import { isDraft } from './options.ts';
import { publishPhotos } from './photos.ts';
import { done, fresh, isVideo, type Progress, readProgress } from './progress.ts';
import { tiktokCall } from './tiktok-call.ts';
import { askOffset, initializeUpload, uploadPart } from './upload.ts';

type Committed = Progress & { readonly taskId: string };

const IN_INBOX =
  'This is a draft. It is in the TikTok inbox of the account and is not public until its owner finishes and posts it in the app.';

/**
 * TikTok's flow (platform reference 5.2): read what the account may do, send the video or the photos, wait until TikTok has published. For a draft
 * nothing is read, and it ends in the inbox of the account.
 */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  const { taskId, postId } = progress;
  if (postId !== undefined) return published(progress, postId);
  if (!progress.committed || taskId === undefined) return { step: spending(mainStep(content, progress), content, progress) };
  const isWaitedFor = progress.creator?.isPublic === true && (progress.idPolls ?? 0) < MAX_ID_POLLS;
  if (progress.settled && !isWaitedFor) return published(progress, taskId);
  return { step: awaitPublishing({ ...progress, taskId }) };
}

/** Photos have their own URLs; this one redirects there. */
export function postUrlOf(username: string, postId?: string): string {
  const profile = `${WEB_URL}/@${encodeURIComponent(username)}`;
  return postId === undefined ? profile : `${profile}/video/${postId}`;
}

function published({ postUrl, creator, draft }: Progress, publishId: string): Next {
  if (draft) return { published: { publishId, warning: IN_INBOX } };
  const username = creator?.username;
  const url = postUrl ?? (username === undefined ? undefined : postUrlOf(username));
  return { published: { publishId, ...(url !== undefined && { postUrl: url }) } };
}

/** Reading what the account may do uses no quota; the steps after it do. */
function spending(step: MainStep, content: Content, { creator }: Progress): MainStep {
  if (isDraft(content)) return { ...step, spends: { quota: drafts.name, amount: 1 } };
  return creator ? { ...step, spends: { quota: posts.name, amount: 1 } } : step;
}

function mainStep(content: Content, progress: Progress): MainStep {
  const { creator, taskId, uploadUrl } = progress;
  const [video] = content.media;
  if (!creator && !isDraft(content)) return queryCreator(content, progress);
  if (!video || !isVideo(content)) return publishPhotos(content, progress, creator);
  if (taskId === undefined || uploadUrl === undefined) return initializeUpload(content, video, progress, creator);
  const started = { ...progress, taskId, uploadUrl };
  return progress.askOffset ? askOffset(video, started) : uploadPart(video, started);
}

/** A failure with `retryFrom` means that TikTok reported that nothing was published. */
function awaitPublishing(progress: Committed): FollowUp {
  return {
    name: 'await_publishing',
    kind: 'follow_up',
    repeatable: true,
    givenUp: { ...progress, settled: true, idPolls: MAX_ID_POLLS },
    async run(call) {
      const { json, text } = await tiktokCall(call, { path: '/post/publish/status/fetch/', json: { publish_id: progress.taskId } });
      const username = progress.creator?.username ?? call.account.username;
      const status = requiredAt(json, 'data', 'status');
      if (status === 'FAILED') throw publishingFailure(stringAt(json, 'data', 'fail_reason') ?? 'unknown', progress);
      if (status === 'SEND_TO_USER_INBOX') return inInbox(progress);
      const postId = publicPostId(text);
      // For a draft: its owner has posted it already.
      const { draft: _, ...posted } = progress;
      if (postId !== undefined) return done({ ...posted, settled: true, postId, postUrl: postUrlOf(username, postId) });
      if (status === 'PUBLISH_COMPLETE' || progress.settled) return awaitId({ ...posted, postUrl: postUrlOf(username) });
      const polls = (progress.polls ?? 0) + 1;
      if (polls >= poll.maxPolls) return done({ ...progress, settled: true, idPolls: MAX_ID_POLLS, postUrl: postUrlOf(username) });
      return done({ ...progress, polls }, polls <= poll.quickPolls ? poll.quickMs : poll.slowMs);
    },
  };
}

function awaitId(progress: Committed) {
  const idPolls = (progress.idPolls ?? 0) + 1;
  const goesOn = progress.creator?.isPublic === true && idPolls < MAX_ID_POLLS;
  const waitMs = idPolls === 1 ? poll.quickMs : poll.slowMs;
  return done({ ...progress, settled: true, idPolls }, goesOn ? waitMs : undefined);
}

/** Ids are 64-bit numbers, which JSON.parse rounds: they are read from the text. TikTok misspells the name. */
function publicPostId(text: string): string | undefined {
  return /"publicaly_available_post_id"\s*:\s*\[\s*"?(\d+)/.exec(text)?.[1];
}

function inInbox(progress: Committed): StepResult {
  if (progress.draft) return done({ ...progress, settled: true });
  throw new PlatformFailure('validation', 'TikTok put the post into the inbox of the account instead of publishing it.', {
    effect: 'rejected',
    retryFrom: fresh(progress),
  });
}
