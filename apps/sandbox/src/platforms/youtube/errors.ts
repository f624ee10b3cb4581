import { html, Refusal } from '../../wire/reply.ts';
import { refuse } from '../google/errors.ts';

export const quotaExceeded = (): Refusal =>
  refuse(
    403,
    'PERMISSION_DENIED',
    'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
    { domain: 'youtube.quota', reason: 'quotaExceeded' },
  );

/** What is wrong with a video's metadata. */
export const badVideo = (reason: string, message: string, location: string): Refusal =>
  refuse(400, 'INVALID_ARGUMENT', message, { domain: 'youtube.video', reason, location });

/** What is wrong with an upload's own headers. */
export const badUpload = (message: string): Refusal => refuse(400, 'INVALID_ARGUMENT', message, { reason: 'badRequest' });

export const badParameter = (reason: string, message: string, location: string): Refusal =>
  refuse(400, 'INVALID_ARGUMENT', message, { domain: 'youtube.parameter', reason, location });

export const badComment = (status: 400 | 403 | 404, reason: string, message: string): Refusal =>
  refuse(status, status === 404 ? 'NOT_FOUND' : status === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT', message, {
    domain: 'youtube.commentThread',
    reason,
  });

export const forbidden = (message: string): Refusal =>
  refuse(403, 'PERMISSION_DENIED', message, { domain: 'youtube.common', reason: 'forbidden' });

/** The upload server is not the API: it responds to unknown sessions with a plain page. */
export const noSession = (): Refusal => new Refusal(html(404, 'Not Found', { 'x-guploader-uploadid': 'ABPtcPq-no-such-session' }));

export const playlistNotFound = (): Refusal =>
  refuse(404, 'NOT_FOUND', "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.", {
    domain: 'youtube.playlistItem',
    reason: 'playlistNotFound',
    location: 'playlistId',
  });

/** A report that cannot be made. */
export const badReport = (message: string, reason: 'badRequest' | 'required' | 'invalidParameter' = 'badRequest'): Refusal =>
  refuse(400, 'INVALID_ARGUMENT', message, { reason });

/** The Analytics API does not say what is missing: the channel belongs to another, or earns no money. */
export const forbiddenReport = (): Refusal => refuse(403, 'PERMISSION_DENIED', 'Forbidden', { reason: 'forbidden' });
