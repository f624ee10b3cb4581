import { FLOOR_VERSION, VERSIONS } from '@fanfare/resources';
import type { Route } from '../route.ts';

const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema,
});

/** Request headers, for `components.parameters`. */
export const PARAMETERS = {
  ServiceVersion: header(
    'Service-Version',
    `The API version: ${VERSIONS.join(', ')}. Default, also for unknown values: ${FLOOR_VERSION}.`,
    { type: 'string', example: VERSIONS.at(-1) },
  ),
  FlowId: header('X-Flow-ID', 'Your id to correlate requests: up to 128 visible ASCII characters. It is returned in the response.', {
    type: 'string',
  }),
  IdempotencyKey: header('Idempotency-Key', 'A unique text, such as a UUID, that makes the request safe to retry for 24 hours.', {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
  }),
  TusResumable: header('Tus-Resumable', 'Marks a request of the tus protocol (https://tus.io), version 1.0.0.', {
    type: 'string',
    enum: ['1.0.0'],
  }),
  UploadLength: header('Upload-Length', 'With tus (required): the size of the file in bytes.', { type: 'integer', minimum: 1 }),
  UploadMetadata: header(
    'Upload-Metadata',
    'With tus: `business_id` (required), `filename`, `folder_id`, `alt_text` and `description`. Each name is followed by a space and the value in Base64; separate them with commas. Other names are stored but have no effect.',
    { type: 'string', maxLength: 12_288 },
  ),
  UploadOffset: header(
    'Upload-Offset',
    'The offset in bytes at which the part begins: `Upload-Offset` of the response to HEAD or to the previous part.',
    {
      type: 'integer',
      minimum: 0,
    },
  ),
  IfMatch: header('If-Match', 'Makes the change only if the resource still has this ETag; otherwise the response is 412.', {
    type: 'string',
  }),
  LastEventId: header(
    'Last-Event-ID',
    'In a stream of Server-Sent Events: the `sequence` of the last event that you have. Replaces `cursor`.',
    {
      type: 'string',
    },
  ),
  IfNoneMatch: header('If-None-Match', 'Your ETag. If it is still current, the response is 304 without a body.', { type: 'string' }),
  CacheControl: header(
    'Cache-Control',
    '`no-cache` bypasses the cache and reads from the platform, at most once in ten seconds. If the read quota is used up, the cached response is returned; `fetched_at` shows when it was read.',
    { type: 'string', example: 'no-cache' },
  ),
} as const;

export type ParameterName = keyof typeof PARAMETERS;

/** The request headers that a route uses. */
export function parameterRefs(route: Route): { $ref: string }[] {
  const names: ParameterName[] = ['ServiceVersion', 'FlowId'];
  if (route.idempotent) names.push('IdempotencyKey');
  names.push(...((route.raw ? route.openapi.requestHeaders : route.requestHeaders) ?? []));
  if (!route.raw && route.errors?.includes('precondition_failed')) names.push('IfMatch');
  if (isTagged(route) && route.method === 'get') names.push('IfNoneMatch');
  return refsTo(names);
}

const refsTo = (names: readonly ParameterName[]) => names.map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** Whether the response is a single resource, which has an ETag. */
export const isTagged = (route: Route): boolean =>
  (!route.raw && route.self === 'resource') || (route.resource !== undefined && (route.status === 201 || route.status === 202));
