import type { Call } from '../connector.ts';
import { requiredAt, unreadable } from '../calls/fields.ts';
import { readGoogleError } from '../google/google-failure.ts';
import type { PlatformResponse } from '../calls/http.ts';
import { youtubeFailure } from './errors.ts';

/** The status of an upload session. */
export type SessionState =
  | { readonly kind: 'incomplete'; readonly offset: number }
  | { readonly kind: 'created'; readonly videoId: string }
  /** The session has ended without a video. */
  | { readonly kind: 'gone' };

/** The bytes from `start`, of `sizeBytes` in total. */
export interface Part {
  readonly bytes: Buffer;
  readonly start: number;
  readonly sizeBytes: number;
  readonly mimeType: string;
}

/** Sends a part. Only the part with the last byte can create the video. */
export async function sendPart(call: Call, sessionUrl: string, part: Part, commit = false): Promise<SessionState> {
  const { bytes, start, sizeBytes, mimeType } = part;
  const range = `bytes ${start}-${start + bytes.length - 1}/${sizeBytes}`;
  const headers = { ...bearer(call), 'content-type': mimeType, 'content-range': range };
  return readSession(await call.http.send({ method: 'PUT', url: sessionUrl, headers, body: { bytes }, commit }));
}

/** Reads how many bytes a session has (platform reference 7.2); changes nothing. */
export async function probeSession(call: Call, sessionUrl: string, sizeBytes: number): Promise<SessionState & { at: Date | undefined }> {
  const headers = { ...bearer(call), 'content-range': `bytes */${sizeBytes}` };
  const response = await call.http.send({ method: 'PUT', url: sessionUrl, headers });
  const at = Date.parse(response.headers.date ?? '');
  return { ...readSession(response), at: Number.isNaN(at) ? undefined : new Date(at) };
}

/** @throws PlatformFailure for a response that does not describe the session */
function readSession(response: PlatformResponse): SessionState {
  const { status, headers, json } = response;
  // A 308 with a location is a redirect, not YouTube's "resume incomplete".
  if (status === 308 && headers.location === undefined) return { kind: 'incomplete', offset: storedBytes(headers.range) };
  if ((status === 404 || status === 410) && isOfUploadServer(response)) return { kind: 'gone' };
  if (status !== 200 && status !== 201) throw youtubeFailure(response);
  return { kind: 'created', videoId: requiredAt(json, 'id') };
}

/** Whether Google itself says that the session does not exist: only this proves that no video was created. A 404 of a proxy is no proof. */
function isOfUploadServer({ headers, json }: PlatformResponse): boolean {
  return headers['x-guploader-uploadid'] !== undefined || readGoogleError(json) !== undefined;
}

/** `bytes=0-524287`; without the header no bytes are stored. */
function storedBytes(range: string | undefined): number {
  if (range === undefined) return 0;
  const last = /^(?:bytes=)?0-(\d+)$/.exec(range)?.[1];
  if (last === undefined) throw unreadable('a Range that cannot be read');
  return Number(last) + 1;
}

function bearer({ account }: Call): Record<string, string> {
  return { authorization: `Bearer ${account.accessToken}` };
}
