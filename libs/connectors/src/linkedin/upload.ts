import type { Call, Content, ContentMedia, MainStep, StepResult } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { requiredAt, stringAt } from '../calls/fields.ts';
import { MAX_POLLS, POLL_MS, UNREADABLE_WAIT_MS } from './limits.ts';
import { linkedinCall, linkedinGet } from './linkedin-call.ts';
import { done, type Progress, type Upload } from './progress.ts';
import { putBytes } from './put-bytes.ts';
import { finalizeVideo, initializeVideo, uploadPart } from './upload-video.ts';

export type Save = (upload: Upload, waitMs?: number) => StepResult;
export type Run = MainStep['run'];

/** The next step that uploads images and videos to LinkedIn, or undefined when all are uploaded. */
export function uploadStep({ media }: Content, progress: Progress): MainStep | undefined {
  const uploads = progress.uploads ?? [];
  const index = media.findIndex((_, at) => uploads[at]?.ready !== true);
  const item = media[index];
  if (!item) return undefined;
  // The uploads after it are kept: after a rejected post the status of all of them is read again.
  const save: Save = (upload, waitMs) => done({ ...progress, uploads: uploads.toSpliced(index, 1, upload) }, waitMs);
  const [name, run] = choose(item, uploads[index] ?? {}, save);
  return { name, kind: 'prepare', run };
}

function choose(item: ContentMedia, upload: Upload, save: Save): [string, Run] {
  const { urn } = upload;
  const isVideo = item.type === 'video';
  if (urn === undefined) return ['initialize_upload', isVideo ? initializeVideo(item, upload, save) : initializeImage(upload, save)];
  if (upload.sent) return ['await_processing', awaitProcessing(item, upload, urn, save)];
  if (!isVideo) return ['upload_image', uploadImage(item, upload, urn, save)];
  const [part] = upload.parts ?? [];
  return part ? ['upload_part', uploadPart(item, upload, part, save)] : ['finalize_upload', finalizeVideo(upload, urn, save)];
}

function initializeImage({ restarts }: Upload, save: Save): Run {
  return async (call) => {
    const json = { initializeUploadRequest: { owner: call.account.accountId } };
    const { json: response } = await linkedinCall(call, {
      method: 'POST',
      path: '/images',
      query: { action: 'initializeUpload' },
      body: { json },
    });
    const urn = requiredAt(response, 'value', 'image');
    return save({ urn, uploadUrl: requiredAt(response, 'value', 'uploadUrl'), ...(restarts !== undefined && { restarts }) });
  };
}

/** LinkedIn accepts an image only in a single request. */
function uploadImage(item: ContentMedia, upload: Upload, urn: string, save: Save): Run {
  return async (call) => {
    const bytes = await item.read(0, item.sizeBytes - 1);
    const headers = { authorization: `Bearer ${call.account.accessToken}`, 'content-type': item.mimeType };
    await putBytes(call, { url: upload.uploadUrl ?? '', headers, bytes }, upload, save);
    return save({ urn, sent: true });
  };
}

function awaitProcessing({ type }: ContentMedia, upload: Upload, urn: string, save: Save): Run {
  return async (call) => {
    const response = await readAsset(call, type, urn);
    if (response === 'forbidden') return save({ urn, sent: true, ready: true }, UNREADABLE_WAIT_MS);
    const status = requiredAt(response, 'status');
    if (status === 'AVAILABLE') return save({ urn, sent: true, ready: true });
    const polls = (upload.polls ?? 0) + 1;
    if (status === 'PROCESSING_FAILED' || polls > MAX_POLLS) {
      const message = stringAt(response, 'processingFailureReason') ?? 'LinkedIn could not process the media.';
      throw new PlatformFailure('media_processing_failed', message, { effect: 'rejected', detail: { status } });
    }
    return save({ ...upload, polls }, POLL_MS);
  };
}

/** A self-serve app may add images but not read their status; it may read videos. */
async function readAsset(call: Call, type: ContentMedia['type'], urn: string): Promise<unknown> {
  try {
    return await linkedinGet(call, { path: `/${type}s/${encodeURIComponent(urn)}` });
  } catch (error) {
    if (type === 'image' && error instanceof PlatformFailure && error.class === 'permission') return 'forbidden';
    throw error;
  }
}
