import type { Dispatcher } from 'undici';
import { atLeast, atMost, decoded } from './body-limits.ts';
import { FetchRefused } from './fetch-refused.ts';

/** A body on its way, and what its server says of it. Nothing of what it says is believed. */
export interface FetchedResponse {
  /** The URL that answered, after redirects. */
  readonly finalUrl: string;
  readonly contentType: string | undefined;
  /** Of the whole body, bytes; undefined when the server does not say, or compresses. */
  readonly totalBytes: number | undefined;
  /** Where the body begins: 0, or where it was asked to go on. */
  readonly offset: number;
  /** With this the rest can be asked for later, if it is still the same: undefined when the server promises nothing of the kind. */
  readonly validator: string | undefined;
  /** Read once. @throws FetchRefused */
  readonly body: AsyncIterable<Buffer>;
}

/** The rest of a body, of which `offset` bytes are here. */
export interface Resume {
  readonly offset: number;
  /** Of the response that they are from. */
  readonly validator: string;
}

interface BodyLimits {
  readonly maxBytes: number;
  readonly minBytesPerSecond: number;
  readonly rateWindowMs: number;
}

/**
 * Reads the head of a response: whether it is what was asked for, and from where on.
 * @throws FetchRefused status_…, too_large, bad_encoding, bad_answer, changed
 */
export function readFetchedResponse(
  url: URL,
  { statusCode, headers, body }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>,
  resume: Resume | undefined,
  limits: BodyLimits,
): FetchedResponse {
  if (statusCode !== 200 && !(resume && statusCode === 206)) throw new FetchRefused(`status_${statusCode}`);
  const encoding = headerOf(headers, 'content-encoding');
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  const validator = isPlain ? validatorOf(headers) : undefined;
  const claimed = lengthOf(headers);
  const part =
    resume && statusCode === 206 ? checkPart(headers, resume, validator) : { offset: 0, totalBytes: isPlain ? claimed : undefined };
  const totalBytes = part.totalBytes ?? claimed;
  if (totalBytes !== undefined && totalBytes > limits.maxBytes) throw new FetchRefused('too_large', undefined, totalBytes);

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

/** RFC 9110, 14.4: that this is the rest of what is here, and of the same version. */
function checkPart(headers: Dispatcher.ResponseData['headers'], resume: Resume, validator: string | undefined) {
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15}|\*)$/.exec(headerOf(headers, 'content-range') ?? '') ?? [];
  if (first === undefined || Number(first) !== resume.offset) throw new FetchRefused('bad_answer');
  if (validator !== undefined && validator !== resume.validator) throw new FetchRefused('changed');
  // Less than the whole rest was not asked for.
  if (total !== '*' && Number(last) + 1 !== Number(total)) throw new FetchRefused('bad_answer');
  return { offset: resume.offset, totalBytes: total === '*' ? undefined : Number(total) };
}

/** What If-Range takes (RFC 9110, 13.1.5): a strong ETag, or else a date; with neither, or without ranges, nothing can be gone on with. */
function validatorOf(headers: Dispatcher.ResponseData['headers']): string | undefined {
  const ranges = headerOf(headers, 'accept-ranges')?.trim().toLowerCase();
  if (ranges !== 'bytes' && headerOf(headers, 'content-range') === undefined) return undefined;
  const etag = headerOf(headers, 'etag');
  if (etag !== undefined && /^"[\x21\x23-\x7e]{0,500}"$/.test(etag)) return etag;
  const modified = headerOf(headers, 'last-modified');
  return modified !== undefined && /^[\w ,:]{1,40}$/.test(modified) ? modified : undefined;
}

/** However many digits it has: nobody takes that much, and it is refused as such. */
function lengthOf(headers: Dispatcher.ResponseData['headers']): number | undefined {
  const text = headerOf(headers, 'content-length') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
}
