import type { Call, Content, ContentMedia, MainStep } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { numberAt, requiredAt, stringAt } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { publishingFailure, tiktokFailure } from './errors.ts';
import { DEFAULT_COVER_MS, PART_BYTES } from './limits.ts';
import { options } from './options.ts';
import { type Creator, done, fresh, type Progress } from './progress.ts';
import { tiktokCall } from './tiktok-call.ts';

type Started = Progress & { readonly taskId: string; readonly uploadUrl: string };

/** Announces the upload. Nothing is published until every byte is sent: an abandoned upload expires. @param creator undefined for a draft */
export function initializeUpload(content: Content, video: ContentMedia, progress: Progress, creator?: Creator): MainStep {
  return {
    name: 'initialize_upload',
    kind: 'prepare',
    async run(call) {
      const size = video.sizeBytes;
      const json = {
        ...(creator && { post_info: postInfo(content, creator) }),
        source_info: { source: 'FILE_UPLOAD', video_size: size, chunk_size: partBytes(size), total_chunk_count: partCount(size) },
      };
      const path = creator ? '/post/publish/video/init/' : '/post/publish/inbox/video/init/';
      const { json: response } = await tiktokCall(call, { path, json });
      const taskId = requiredAt(response, 'data', 'publish_id');
      const uploadUrl = requiredAt(response, 'data', 'upload_url');
      return done({ ...progress, taskId, uploadUrl, uploaded: 0, ...(!creator && { draft: true }) });
    },
  };
}

function postInfo(content: Content, creator: Creator) {
  const chosen = options.parse(content.options ?? {});
  return {
    title: content.caption,
    privacy_level: chosen.privacy_level,
    disable_duet: creator.duetDisabled || chosen.disable_duet === true,
    disable_comment: creator.commentDisabled || chosen.disable_comment === true,
    disable_stitch: creator.stitchDisabled || chosen.disable_stitch === true,
    video_cover_timestamp_ms: content.videoCoverTimestampMs ?? DEFAULT_COVER_MS,
    brand_content_toggle: chosen.disclose_branded_content === true,
    brand_organic_toggle: chosen.disclose_own_brand === true,
    is_aigc: chosen.disclose_ai_generated === true,
  };
}

/** The next part; the last one makes TikTok publish the video. */
export function uploadPart(video: ContentMedia, progress: Started): MainStep {
  const start = progress.uploaded ?? 0;
  const isLast = start >= lastPartStart(video.sizeBytes);
  const end = isLast ? video.sizeBytes : start + PART_BYTES;
  return {
    name: isLast ? 'upload_last_part' : 'upload_part',
    kind: isLast ? 'commit' : 'prepare',
    async run(call) {
      const headers = { 'content-type': video.mimeType, 'content-range': `bytes ${start}-${end - 1}/${video.sizeBytes}` };
      const body = { bytes: await video.read(start, end - 1) };
      const response = await call.http.send({ method: 'PUT', url: progress.uploadUrl, headers, body, ...(isLast && { commit: true }) });
      if (response.status !== (isLast ? 201 : 206)) throw partFailure(response, progress, isLast);
      return done({ ...progress, uploaded: end, ...(isLast && { committed: true }) });
    },
  };
}

/** Reads how many bytes TikTok has, after a part was sent by a process that died before storing that. */
export function askOffset(video: ContentMedia, progress: Started): MainStep {
  return {
    name: 'read_upload_offset',
    kind: 'prepare',
    async run(call) {
      const { uploadedBytes, failReason } = await readUpload(call, progress.taskId);
      if (failReason !== undefined) throw publishingFailure(failReason, progress);
      const { askOffset: _, ...known } = progress;
      const fits = uploadedBytes !== undefined && uploadedBytes % PART_BYTES === 0 && uploadedBytes <= lastPartStart(video.sizeBytes);
      return done(fits ? { ...known, uploaded: uploadedBytes } : fresh(progress));
    },
  };
}

export async function readUpload(call: Call, taskId: string): Promise<{ status?: string; uploadedBytes?: number; failReason?: string }> {
  const { json } = await tiktokCall(call, { path: '/post/publish/status/fetch/', json: { publish_id: taskId } });
  const status = requiredAt(json, 'data', 'status');
  const uploadedBytes = numberAt(json, 'data', 'uploaded_bytes');
  return {
    status,
    ...(uploadedBytes !== undefined && { uploadedBytes }),
    ...(status === 'FAILED' && { failReason: stringAt(json, 'data', 'fail_reason') ?? 'unknown' }),
  };
}

/** TikTok rounds down: the remainder is sent with the last part. A video of less than two parts is sent whole. */
function partCount(size: number): number {
  return Math.max(1, Math.floor(size / PART_BYTES));
}

function partBytes(size: number): number {
  return partCount(size) === 1 ? size : PART_BYTES;
}

function lastPartStart(size: number): number {
  return (partCount(size) - 1) * PART_BYTES;
}

/**
 * Before the last part nothing can be published, so a wrong offset is read again and a lost upload is started over, whoever reports it. For the last
 * part only TikTok's own error counts.
 */
function partFailure(response: PlatformResponse, progress: Progress, isLast: boolean): PlatformFailure {
  const { status, json } = response;
  if (isLast && stringAt(json, 'error', 'code') === undefined) return tiktokFailure(response);
  if (status === 416) return again('TikTok expects another part of the video.', { ...progress, askOffset: true }, status);
  if (status === 403 || status === 404) return again('TikTok no longer has the upload of the video.', fresh(progress), status);
  return tiktokFailure(response);
}

function again(message: string, retryFrom: Progress, status: number): PlatformFailure {
  return new PlatformFailure('transient', message, { effect: 'rejected', detail: { status }, retryFrom: { ...retryFrom } });
}
