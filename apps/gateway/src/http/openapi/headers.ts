import { VERSIONS } from '@fanfare/resources';

interface Header {
  readonly description: string;
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}

const count = { type: 'integer', minimum: 0 } as const;
const LIMIT = 'The limit of the window with the fewest requests left.';
const REMAINING = 'The requests left in the window with the fewest requests left.';
const RESET = 'When the window with the fewest requests left resets: UNIX time in seconds.';

/** On every response of the API. */
const ALWAYS = {
  'X-Request-Id': { description: 'The id of the request, unique for each request.', schema: { type: 'string', pattern: '^req_' } },
  'X-Flow-ID': { description: 'The `X-Flow-ID` of the request, or a new one if the request has none.', schema: { type: 'string' } },
  'Service-Version': { description: 'The API version of the response.', schema: { type: 'string', example: VERSIONS.at(-1) } },
  'RateLimit-Limit': { description: LIMIT, schema: count },
  'RateLimit-Remaining': { description: REMAINING, schema: count },
  'RateLimit-Reset': { description: RESET, schema: count },
  'X-RateLimit-Limit': { description: LIMIT, schema: count },
  'X-RateLimit-Remaining': { description: REMAINING, schema: count },
  'X-RateLimit-Reset': { description: RESET, schema: count },
} satisfies Record<string, Header>;

const SOMETIMES = {
  Location: {
    description: 'The URL of the new resource, or of the resource to poll.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: { description: 'The version of the resource, for If-Match and If-None-Match.', schema: { type: 'string' } },
  'Idempotency-Replayed': {
    description: 'Present if this is the stored response of an earlier request with the same Idempotency-Key.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Tus-Resumable': { description: 'The version of the tus protocol.', schema: { type: 'string', enum: ['1.0.0'] } },
  'Tus-Version': { description: 'The supported versions of the tus protocol.', schema: { type: 'string', enum: ['1.0.0'] } },
  'Tus-Extension': { description: 'The supported extensions of the tus protocol.', schema: { type: 'string' } },
  'Upload-Offset': { description: 'The number of bytes that have arrived.', schema: count },
  'Upload-Length': { description: 'The size of the file in bytes.', schema: count },
  'Upload-Metadata': { description: 'The metadata of the upload, as sent when it was created.', schema: { type: 'string' } },
  'Upload-Expires': { description: 'When the upload expires, as an HTTP date.', schema: { type: 'string' } },
  'Fanfare-Media-Id': { description: 'The id of the media that the upload creates.', schema: { type: 'string', format: 'uuid' } },
  Deprecation: {
    description: 'Since when the operation is deprecated: `@` and UNIX time in seconds (RFC 9745).',
    required: true,
    schema: { type: 'string', pattern: '^@\\d+$' },
  },
  Link: {
    description:
      'With `rel="deprecation"`: what to use instead. With `rel="next"`: the next page of a table; absent on the last one and in JSON.',
    schema: { type: 'string' },
  },
  'WWW-Authenticate': { description: 'The authentication scheme.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before you retry.', schema: { type: 'integer', minimum: 1 } },
} satisfies Record<string, Header>;

/** For `components.headers`. */
export const HEADERS: Readonly<Record<string, Header>> = {
  ...Object.fromEntries(Object.entries(ALWAYS).map(([name, header]) => [name, { ...header, required: true as const }])),
  ...SOMETIMES,
};

export type HeaderName = keyof typeof SOMETIMES;

/** The headers of a response: those that every response has, and these. */
export const headerRefs = (...more: HeaderName[]): Record<string, { $ref: string }> =>
  Object.fromEntries([...Object.keys(ALWAYS), ...more].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
