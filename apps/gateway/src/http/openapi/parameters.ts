import type { Route } from '../route.ts';
import { FLOOR_VERSION, VERSIONS } from '../versions/index.ts';

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
    `Pins a version: ${VERSIONS.join(', ')}. When it is left out or unknown, ${FLOOR_VERSION} is served.`,
    { type: 'string', example: VERSIONS.at(-1) },
  ),
  FlowId: header('X-Flow-ID', 'Correlates the requests of one flow: up to 128 visible ASCII characters; echoed.', { type: 'string' }),
  IdempotencyKey: header('Idempotency-Key', 'Makes the request safe to repeat for 24 hours: any unique text, such as a UUID.', {
    type: 'string',
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
  }),
  TusResumable: header('Tus-Resumable', 'Says that this is a request of the tus protocol (https://tus.io), version 1.0.0.', {
    type: 'string',
    enum: ['1.0.0'],
  }),
  UploadLength: header('Upload-Length', 'With tus, and required there: how many bytes the file has.', { type: 'integer', minimum: 1 }),
  UploadMetadata: header(
    'Upload-Metadata',
    'With tus: `business_id` (required), `filename`, `folder_id`, `alt_text` and `description`, each name followed by a space and the value in Base64, separated by commas. Others are kept and mean nothing.',
    { type: 'string', maxLength: 12_288 },
  ),
  UploadOffset: header('Upload-Offset', 'Where the part begins: what HEAD says, or the answer to the part before.', {
    type: 'integer',
    minimum: 0,
  }),
  IfMatch: header('If-Match', 'Carries the change out only if the resource still has this ETag; otherwise 412.', { type: 'string' }),
  IfNoneMatch: header('If-None-Match', 'An ETag that you have: 304 without a body if it is still the current one.', { type: 'string' }),
} as const;

export type ParameterName = keyof typeof PARAMETERS;

/** The request headers that mean something to a route. */
export function parameterRefs(route: Route): { $ref: string }[] {
  const names: ParameterName[] = ['ServiceVersion', 'FlowId'];
  if (route.idempotent) names.push('IdempotencyKey');
  if (route.raw) names.push(...(route.openapi.requestHeaders ?? []));
  else if (route.errors?.includes('precondition_failed')) names.push('IfMatch');
  if (isTagged(route) && route.method === 'get') names.push('IfNoneMatch');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Whether answers are one resource, which has a tag where it can be edited. */
export const isTagged = (route: Route): boolean =>
  (!route.raw && route.self === 'resource') || (route.resource !== undefined && (route.status === 201 || route.status === 202));
