import type { Content, ContentMedia, MainStep, StepResult } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, numberAt, requiredAt, stringAt } from '../calls/fields.ts';
import { MAX_POLLS, MAX_RESTARTS, MAX_SIMPLE_UPLOAD_BYTES, PART_BYTES, POLL_MS } from './limits.ts';
import { done, type Progress, type Upload } from './progress.ts';
import { xCall } from './x-call.ts';

type Save = (upload: Upload, waitMs?: number) => StepResult;
type Run = MainStep['run'];

/** The next step that uploads images and videos to X, or undefined when all are uploaded. */
export function uploadStep({ media }: Content, progress: Progress): MainStep | undefined {
  const uploads = progress.uploads ?? [];
  const index = media.findIndex((item, at) => !isComplete(item, uploads[at]));
  const item = media[index];
  if (!item) return undefined;
  const save: Save = (upload, waitMs) => done({ ...progress, uploads: [...uploads.slice(0, index), upload] }, waitMs);
  const [name, run] = choose(item, uploads[index] ?? {}, save);
  return { name, kind: 'prepare', run };
}

function isComplete(item: ContentMedia, upload: Upload | undefined): boolean {
  return upload?.ready === true && (upload.described === true || !hasAltText(item));
}

function choose(item: ContentMedia, upload: Upload, save: Save): [string, Run] {
  const { id } = upload;
  if (id === undefined)
    return isSmall(item) ? ['upload_media', uploadWhole(item, save)] : ['initialize_upload', initialize(item, upload, save)];
  if (upload.ready) return ['describe_media', describe(item, upload, id, save)];
  if (upload.finalized) return ['await_processing', awaitProcessing(upload, id, save)];
  if ((upload.parts ?? 0) * PART_BYTES < item.sizeBytes) return ['append_part', append(item, upload, id, save)];
  return ['finalize_upload', finalize(upload, id, save)];
}

function uploadWhole(item: ContentMedia, save: Save): Run {
  return async (call) => {
    const bytes = await item.read(0, item.sizeBytes - 1);
    const multipart = [{ name: 'media_category', value: categoryOf(item) }, file(item, bytes)];
    const response = await xCall(call, { method: 'POST', path: '/media/upload', body: { multipart } });
    return save({ id: requiredAt(response, 'data', 'id'), ...processing(response) }, waitOf(response));
  };
}

function initialize(item: ContentMedia, { restarts }: Upload, save: Save): Run {
  return async (call) => {
    const json = { media_type: item.mimeType, total_bytes: item.sizeBytes, media_category: categoryOf(item) };
    const response = await xCall(call, { method: 'POST', path: '/media/upload/initialize', body: { json } });
    return save({ id: requiredAt(response, 'data', 'id'), parts: 0, ...(restarts !== undefined && { restarts }) });
  };
}

function append(item: ContentMedia, upload: Upload, id: string, save: Save): Run {
  const index = upload.parts ?? 0;
  return async (call) => {
    const bytes = await item.read(index * PART_BYTES, Math.min((index + 1) * PART_BYTES, item.sizeBytes) - 1);
    const multipart = [{ name: 'segment_index', value: String(index) }, file(item, bytes)];
    await orStartOver(upload, save, () => xCall(call, { method: 'POST', path: `/media/upload/${id}/append`, body: { multipart } }));
    return save({ ...upload, parts: index + 1 });
  };
}

function finalize(upload: Upload, id: string, save: Save): Run {
  return async (call) => {
    const response = await orStartOver(upload, save, () => xCall(call, { method: 'POST', path: `/media/upload/${id}/finalize` }));
    return save({ ...upload, finalized: true, ...processing(response) }, waitOf(response));
  };
}

/**
 * X does not document what it responds to a part that it has already, or to a second finalize: both are sent again when their response was lost. If X rejects
 * them, the upload starts over.
 */
async function orStartOver<T>({ restarts = 0 }: Upload, save: Save, send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof PlatformFailure) || error.class !== 'validation' || restarts >= MAX_RESTARTS) throw error;
    const { message, detail } = error;
    const retryFrom = save({ restarts: restarts + 1 }).state;
    throw new PlatformFailure('transient', `X rejected the upload. It starts over. ${message}`, { effect: 'rejected', detail, retryFrom });
  }
}

function awaitProcessing(upload: Upload, id: string, save: Save): Run {
  return async (call) => {
    const response = await xCall(call, { method: 'GET', path: '/media/upload', query: { command: 'STATUS', media_id: id } });
    const polls = (upload.polls ?? 0) + 1;
    if (polls > MAX_POLLS)
      throw new PlatformFailure('media_processing_failed', 'X did not finish processing the media.', { effect: 'rejected' });
    return save({ ...upload, polls, ...processing(response) }, waitOf(response));
  };
}

function describe(item: ContentMedia, upload: Upload, id: string, save: Save): Run {
  return async (call) => {
    const json = { id, metadata: { alt_text: { text: item.altText } } };
    await xCall(call, { method: 'POST', path: '/media/metadata', body: { json } });
    return save({ ...upload, described: true });
  };
}

/** No `processing_info` means ready. @throws PlatformFailure `media_processing_failed` */
function processing(response: unknown): Pick<Upload, 'ready' | 'finalized'> {
  const info = at(response, 'data', 'processing_info');
  const state = stringAt(info, 'state');
  if (state === 'failed') {
    const message = stringAt(info, 'error', 'message') ?? stringAt(info, 'error', 'name') ?? 'X could not process the media.';
    throw new PlatformFailure('media_processing_failed', message, {
      effect: 'rejected',
      detail: { code: numberAt(info, 'error', 'code') },
    });
  }
  return info === undefined || state === 'succeeded' ? { finalized: true, ready: true } : { finalized: true };
}

function waitOf(response: unknown): number | undefined {
  const info = at(response, 'data', 'processing_info');
  const pending = info !== undefined && stringAt(info, 'state') !== 'succeeded';
  const seconds = numberAt(info, 'check_after_secs');
  return pending ? (seconds === undefined ? POLL_MS : seconds * 1_000) : undefined;
}

function categoryOf({ type, mimeType }: ContentMedia): string {
  if (type === 'video') return 'tweet_video';
  return mimeType === 'image/gif' ? 'tweet_gif' : 'tweet_image';
}

/** Animated GIFs and videos are processed after the upload; only chunked uploads report that. */
function isSmall(item: ContentMedia): boolean {
  return categoryOf(item) === 'tweet_image' && item.sizeBytes <= MAX_SIMPLE_UPLOAD_BYTES;
}

function hasAltText({ type, altText }: ContentMedia): boolean {
  return type === 'image' && altText !== '';
}

function file({ mimeType }: ContentMedia, bytes: Buffer) {
  return { name: 'media', filename: 'media', contentType: mimeType, bytes };
}
