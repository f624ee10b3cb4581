import { html, Rejection } from '../../wire/reply.ts';
import { reject } from '../google/errors.ts';

export const quotaExceeded = (): Rejection =>
  reject(
    403,
    'PERMISSION_DENIED',
    'The request cannot be completed because you have exceeded your <a href="/youtube/v3/getting-started#quota">quota</a>.',
    { domain: 'youtube.quota', reason: 'quotaExceeded' },
  );

/** What is wrong with a video's metadata. */
export const badVideo = (reason: string, message: string, location: string): Rejection =>
  reject(400, 'INVALID_ARGUMENT', message, { domain: 'youtube.video', reason, location });

/** What is wrong with an upload's own headers. */
export const badUpload = (message: string): Rejection => reject(400, 'INVALID_ARGUMENT', message, { reason: 'badRequest' });

export const badParameter = (reason: string, message: string, location: string): Rejection =>
  reject(400, 'INVALID_ARGUMENT', message, { domain: 'youtube.parameter', reason, location });

export const badComment = (status: 400 | 403 | 404, reason: string, message: string): Rejection =>
  reject(status, status === 404 ? 'NOT_FOUND' : status === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT', message, {
    domain: 'youtube.commentThread',
    reason,
  });

export const forbidden = (message: string): Rejection =>
  reject(403, 'PERMISSION_DENIED', message, { domain: 'youtube.common', reason: 'forbidden' });

/** The upload server is not the API: it responds to unknown sessions with a plain page. */
export const noSession = (): Rejection => new Rejection(html(404, 'Not Found', { 'x-guploader-uploadid': 'ABPtcPq-no-such-session' }));

export const videoNotFound = (): Rejection =>
  reject(
    404,
    'NOT_FOUND',
    "The video that you are trying to delete cannot be found. Check the value of the request's <code>id</code> parameter.",
    {
      domain: 'youtube.video',
      reason: 'videoNotFound',
      location: 'id',
    },
  );

export const playlistNotFound = (): Rejection =>
  reject(404, 'NOT_FOUND', "The playlist identified with the request's <code>playlistId</code> parameter cannot be found.", {
    domain: 'youtube.playlistItem',
    reason: 'playlistNotFound',
    location: 'playlistId',
  });

/** A report that cannot be created. */
export const badReport = (message: string, reason: 'badRequest' | 'required' | 'invalidParameter' = 'badRequest'): Rejection =>
  reject(400, 'INVALID_ARGUMENT', message, { reason });

/** The Analytics API does not say what is missing: the channel belongs to another person, or is not monetized. */
export const forbiddenReport = (): Rejection => reject(403, 'PERMISSION_DENIED', 'Forbidden', { reason: 'forbidden' });
