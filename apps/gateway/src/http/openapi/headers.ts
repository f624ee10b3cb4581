import { VERSIONS } from '@fanfare/resources';
import type { Route } from '../route.ts';

export interface Header {
  readonly description: string;
  readonly required?: true;
  readonly schema: { readonly type: 'string' | 'integer'; readonly [keyword: string]: unknown };
}

/** Headers of the responses of a route, by name. */
export type RouteHeaders = Readonly<Record<string, Header>>;

export const count = { type: 'integer', minimum: 0 } as const;
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

/** For `components.headers`: those of the framework, and those that routes declare. */
export const headersOf = (routes: readonly Route[]): Record<string, Header> => ({
  ...Object.fromEntries(Object.entries(ALWAYS).map(([name, header]) => [name, { ...header, required: true as const }])),
  ...SOMETIMES,
  ...Object.fromEntries(routes.flatMap((route) => Object.entries((route.raw && route.openapi.responseHeaders) || {}))),
});

export type HeaderName = keyof typeof SOMETIMES;

/** The headers of a response: those that every response has, and these. */
export const headerRefs = (names: readonly HeaderName[], declared: RouteHeaders = {}): Record<string, { $ref: string }> =>
  Object.fromEntries(
    [...Object.keys(ALWAYS), ...names, ...Object.keys(declared)].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
