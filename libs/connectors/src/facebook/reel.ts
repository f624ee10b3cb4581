import type { Content, ContentMedia, MainStep } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { refetching } from '../calls/refetching.ts';
import { graphCall } from '../graph/graph-call.ts';
import { graphFailure } from '../graph/graph-failure.ts';
import { reels } from './quotas.ts';
import { isUnfetchedVideo, rules } from './errors.ts';
import { poll } from './limits.ts';
import { options } from './options.ts';
import { done, pollAgain, type Progress } from './progress.ts';

/** The phases of a reel: start, send the file's URL, wait until Facebook has fetched it, finish. Its id is known from the start. */
export function reelStep(content: Content, progress: Progress): MainStep {
  return { ...phase(content, progress), spends: { quota: reels.name, amount: 1 } };
}

function phase(content: Content, progress: Progress): MainStep {
  const { videoId, uploadUrl } = progress;
  if (videoId === undefined || uploadUrl === undefined) return start(progress);
  if (!progress.handedOver) return handOver(content, progress, uploadUrl);
  if (!progress.uploaded) return awaitUpload(progress, videoId);
  return finish(content, progress, videoId);
}

/** Requires the video, published or not. Repeating it sets the same image again. */
export function setCover(cover: ContentMedia, progress: Progress, videoId: string): MainStep {
  return {
    name: 'set_cover',
    kind: 'prepare',
    async run(call) {
      const bytes = await cover.read(0, cover.sizeBytes - 1);
      const source = { name: 'source', filename: 'cover', contentType: cover.mimeType, bytes };
      const multipart = [source, { name: 'is_preferred', value: 'true' }];
      await graphCall(call, { method: 'POST', path: `/${videoId}/thumbnails`, body: { multipart } });
      return done({ ...progress, covered: true });
    },
  };
}

/** @throws PlatformFailure `media_processing_failed` when one of a video's phases ended in an error */
export function checkPhases(status: unknown): void {
  for (const phase of ['uploading_phase', 'processing_phase', 'publishing_phase']) {
    const failed = stringAt(status, phase, 'status') === 'error';
    if (failed)
      throw processingFailed(stringAt(status, phase, 'errors', 0, 'message') ?? stringAt(status, phase, 'error', 'message'), phase);
  }
  const videoStatus = stringAt(status, 'video_status');
  if (videoStatus && ['error', 'expired', 'upload_failed'].includes(videoStatus)) throw processingFailed(undefined, videoStatus);
}

function start(progress: Progress): MainStep {
  return {
    name: 'start_reel',
    kind: 'prepare',
    async run(call) {
      const body = { json: { upload_phase: 'start' } };
      const response = await graphCall(call, { method: 'POST', path: `/${call.account.accountId}/video_reels`, body });
      return done({ ...progress, videoId: requiredAt(response, 'video_id'), uploadUrl: requiredAt(response, 'upload_url') });
    },
  };
}

function handOver({ media }: Content, progress: Progress, url: string): MainStep {
  return {
    name: 'upload_reel',
    kind: 'prepare',
    async run({ http, account }) {
      const headers = { authorization: `OAuth ${account.accessToken}`, file_url: media[0]?.publicUrl ?? '' };
      return reuploading(progress, async () => {
        const response = await http.send({ method: 'POST', url, headers });
        if (response.status >= 300 || at(response.json, 'success') !== true) throw graphFailure(response, rules);
        return done({ ...progress, handedOver: true });
      });
    },
  };
}

function awaitUpload(progress: Progress, videoId: string): MainStep {
  return {
    name: 'await_upload',
    kind: 'prepare',
    async run(call) {
      const response = await graphCall(call, { method: 'GET', path: `/${videoId}`, query: { fields: 'status' } });
      const status = at(response, 'status');
      await reuploading(progress, async () => checkPhases(status));
      if (stringAt(status, 'uploading_phase', 'status') === 'complete') return done({ ...progress, uploaded: true, polls: 0 });
      if ((progress.polls ?? 0) >= poll.maxPolls) throw processingFailed('The upload did not finish.', 'uploading_phase');
      return pollAgain(progress);
    },
  };
}

function finish({ caption, title, options: given }: Content, progress: Progress, videoId: string): MainStep {
  const { is_ai_generated } = options.parse(given ?? {});
  return {
    name: 'publish_reel',
    kind: 'commit',
    async run(call) {
      const json = {
        ...{ upload_phase: 'finish', video_id: videoId, video_state: 'PUBLISHED', description: caption },
        ...(title && { title }),
        ...(is_ai_generated !== undefined && { is_ai_generated }),
      };
      const response = await graphCall(call, {
        method: 'POST',
        path: `/${call.account.accountId}/video_reels`,
        body: { json },
        commit: true,
      });
      const postId = stringAt(response, 'post_id');
      if (at(response, 'success') !== true && postId === undefined) throw unreadable('the response does not report success');
      return done({ ...progress, publishId: videoId, ...(postId !== undefined && { postId }) });
    },
  };
}

/** A session whose upload has failed is of no more use: the next attempt starts another one. */
const reuploading = <T>(progress: Progress, run: () => Promise<T>): Promise<T> => refetching(progress, isUnfetchedVideo, run, {});

function processingFailed(message: string | undefined, phase: string): PlatformFailure {
  return new PlatformFailure('media_processing_failed', message ?? 'The platform could not process the video.', {
    effect: 'rejected',
    detail: { phase },
  });
}
