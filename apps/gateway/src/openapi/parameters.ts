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
  IfMatch: header('If-Match', 'Carries the change out only if the resource still has this ETag; otherwise 412.', { type: 'string' }),
  IfNoneMatch: header('If-None-Match', 'An ETag that you have: 304 without a body if it is still the current one.', { type: 'string' }),
} as const;

/** The request headers that mean something to a route. */
export function parameterRefs(route: Route): { $ref: string }[] {
  const names: (keyof typeof PARAMETERS)[] = ['ServiceVersion', 'FlowId'];
  if (route.idempotent) names.push('IdempotencyKey');
  if (takesIfMatch(route)) names.push('IfMatch');
  if (isTagged(route) && route.method === 'get') names.push('IfNoneMatch');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Whether answers are one resource, which has a tag where it can be edited. */
export const isTagged = ({ self, resource, status }: Route): boolean =>
  self === 'resource' || (resource !== undefined && (status === 201 || status === 202));

const takesIfMatch = ({ errors = [] }: Route) => errors.includes('precondition_failed');
