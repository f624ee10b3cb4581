import type { Dispatcher } from 'undici';
import { atLeast, atMost, decoded } from './body-limits.ts';
import { FetchError } from './fetch-error.ts';

/** A response whose body is still to be read, with what its headers declare. What they declare is not verified. */
export interface FetchedResponse {
  /** The URL of the response, after redirects. */
  readonly finalUrl: string;
  readonly contentType: string | undefined;
  /** Size of the whole file in bytes; undefined if the server does not declare it, or compresses the body. */
  readonly totalBytes: number | undefined;
  /** Position in the file at which the body begins: 0, or the offset of `resume`. */
  readonly offset: number;
  /** Identifies the version of the file, to resume later by `If-Range`; undefined if the server does not support that. */
  readonly validator: string | undefined;
  /** Read once. @throws FetchError */
  readonly body: AsyncIterable<Buffer>;
}

/** Requests the rest of a file of which `offset` bytes have arrived. */
export interface Resume {
  readonly offset: number;
  /** `validator` of the response that they came from. */
  readonly validator: string;
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: number;
}

/**
 * Checks the status and headers of a response, and where in the file its body begins.
 * @throws FetchError status_…, too_large, bad_encoding, bad_response, changed
 */
export function readFetchedResponse(
  url: URL,
  { statusCode, headers, body }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>,
  resume: Resume | undefined,
  limits: BodyLimits,
): FetchedResponse {
  if (statusCode !== 200 && !(resume && statusCode === 206)) throw new FetchError(`status_${statusCode}`);
  const encoding = headerOf(headers, 'content-encoding');
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  const validator = isPlain ? validatorOf(headers) : undefined;
  const claimed = lengthOf(headers);
  const part =
    resume && statusCode === 206 ? checkPart(headers, resume, validator) : { offset: 0, totalBytes: isPlain ? claimed : undefined };
  const totalBytes = part.totalBytes ?? claimed;
  if (totalBytes !== undefined && totalBytes > limits.maxBytes) throw new FetchError('too_large', undefined, totalBytes);

  const arriving = atMost(atLeast(body, limits.minBytesPerSecond, limits.rateWindowMs), limits.maxBytes - part.offset);
  return {
    finalUrl: url.href,
    contentType: headerOf(headers, 'content-type'),
    totalBytes: part.totalBytes,
    offset: part.offset,
    validator,
    body: decoded(arriving, encoding, limits.maxBytes),
  };
}

export function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** Checks by RFC 9110, 14.4 that a partial response is the rest of the file, and of the same version. */
function checkPart(headers: Dispatcher.ResponseData['headers'], resume: Resume, validator: string | undefined) {
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headerOf(headers, 'content-range') ?? '') ?? [];
  if (first === undefined || Number(first) !== resume.offset) throw new FetchError('bad_response');
  if (validator !== undefined && validator !== resume.validator) throw new FetchError('changed');
  // The request was for all of the rest.
  if (total !== '*' && Number(last) + 1 !== Number(total)) throw new FetchError('bad_response');
  return { offset: resume.offset, totalBytes: total === '*' ? undefined : Number(total) };
}

/** The value for If-Range (RFC 9110, 13.1.5): a strong ETag, or else a date. Undefined if there is neither, or no support for ranges. */
function validatorOf(headers: Dispatcher.ResponseData['headers']): string | undefined {
  const ranges = headerOf(headers, 'accept-ranges')?.trim().toLowerCase();
  if (ranges !== 'bytes' && headerOf(headers, 'content-range') === undefined) return undefined;
  const etag = headerOf(headers, 'etag');
  if (etag !== undefined && /^"[\x21\x23-\x7e]{0,500}"$/.test(etag)) return etag;
  const modified = headerOf(headers, 'last-modified');
  return modified !== undefined && /^[\w ,:]{1,40}$/.test(modified) ? modified : undefined;
}

/** Accepts any number of digits, so that a huge length is rejected as `too_large`. */
function lengthOf(headers: Dispatcher.ResponseData['headers']): number | undefined {
  const text = headerOf(headers, 'content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
