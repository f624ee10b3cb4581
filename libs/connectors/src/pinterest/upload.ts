import type { ContentMedia, MainStep } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { MAX_POLLS, POLL_MS } from './limits.ts';
import { pinterestCall } from './pinterest-call.ts';
import { done, type Progress } from './progress.ts';

/** The next step that uploads the video to Pinterest, or undefined when it is ready for a pin. */
export function uploadStep(video: ContentMedia, progress: Progress): MainStep | undefined {
  const { mediaId, ready } = progress;
  if (mediaId === undefined) return { name: 'upload_video', kind: 'prepare', run: upload(video, progress) };
  return ready ? undefined : { name: 'await_processing', kind: 'prepare', run: awaitProcessing(progress, mediaId) };
}

/**
 * Registers an upload and sends the video with the form that Pinterest signed for it. The form expires soon, accepts the video in one request and must not
 * be stored, so an interrupted upload is started over; a registered upload without a pin is invisible.
 */
function upload(video: ContentMedia, progress: Progress): MainStep['run'] {
  return async (call) => {
    const registered = await pinterestCall(call, { method: 'POST', path: '/media', body: { json: { media_type: 'video' } } });
    const mediaId = requiredAt(registered, 'media_id');
    const { mimeType: contentType, sizeBytes } = video;
    const file = { name: 'file', filename: 'video', contentType, sizeBytes, read: video.read };
    // S3 ignores what comes after the file.
    const multipart = [...formFields(at(registered, 'upload_parameters')), file];
    // Without the account's token: the form has its own signature.
    const response = await call.http.send({ method: 'POST', url: requiredAt(registered, 'upload_url'), body: { multipart } });
    if (response.status >= 300) throw storageFailure(response);
    return done({ ...progress, mediaId }, POLL_MS);
  };
}

function formFields(parameters: unknown): { name: string; value: string }[] {
  if (typeof parameters !== 'object' || parameters === null) throw unreadable('no upload_parameters in the response');
  return Object.entries(parameters).map(([name, value]) => ({ name, value: String(value) }));
}

/** S3 responds in XML. Whatever it says, the next attempt registers a new upload. */
function storageFailure({ status, text }: PlatformResponse): PlatformFailure {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  const isTooLarge = code === 'EntityTooLarge';
  return new PlatformFailure(isTooLarge ? 'validation' : 'transient', `Pinterest's storage did not accept the video (${code ?? status}).`, {
    effect: code === undefined || status >= 500 ? 'unknown' : 'rejected',
    detail: { status, code },
  });
}

function awaitProcessing(progress: Progress, mediaId: string): MainStep['run'] {
  return async (call) => {
    const media = await pinterestCall(call, { method: 'GET', path: `/media/${encodeURIComponent(mediaId)}` });
    const status = stringAt(media, 'status');
    if (status === 'succeeded') return done({ ...progress, ready: true });
    const polls = (progress.polls ?? 0) + 1;
    if (status === 'failed') throw processingFailed('Pinterest could not process the video.');
    if (polls > MAX_POLLS) throw processingFailed('Pinterest did not finish processing the video.');
    return done({ ...progress, polls }, POLL_MS);
  };
}

function processingFailed(message: string): PlatformFailure {
  return new PlatformFailure('media_processing_failed', message, { effect: 'rejected' });
}
