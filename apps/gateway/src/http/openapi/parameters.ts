import { FLOOR_VERSION, VERSIONS } from '@fanfare/resources';
import type { Route } from '../route.ts';

/** A request header. */
export const header = (name: string, description: string, schema: object) => ({
  name,
  in: 'header' as const,
  required: false,
  description,
  schema,
});

/** Request headers of a route, by their names in `components.parameters`. */
export type RouteParameters = Readonly<Record<string, ReturnType<typeof header>>>;

const PARAMETERS = {
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
  IfMatch: header('If-Match', 'Makes the change only if the resource still has this ETag; otherwise the response is 412.', {
    type: 'string',
  }),
  IfNoneMatch: header('If-None-Match', 'Your ETag. If it is still current, the response is 304 without a body.', { type: 'string' }),
} as const;

const declaredBy = (route: Route): RouteParameters => (route.raw ? route.openapi.requestHeaders : route.requestHeaders) ?? {};

/** For `components.parameters`: the request headers of the framework, and those that routes declare. */
export const parametersOf = (routes: readonly Route[]): RouteParameters => ({
  ...PARAMETERS,
  ...Object.fromEntries(routes.flatMap((route) => Object.entries(declaredBy(route)))),
});

/** The request headers that a route uses. */
export function parameterRefs(route: Route): { $ref: string }[] {
  const names: string[] = ['ServiceVersion', 'FlowId'] satisfies (keyof typeof PARAMETERS)[];
  if (route.idempotent) names.push('IdempotencyKey');
  names.push(...Object.keys(declaredBy(route)));
  if (!route.raw && route.errors?.includes('precondition_failed')) names.push('IfMatch');
  if (isTagged(route) && route.method === 'get') names.push('IfNoneMatch');
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** Whether the response is a single resource, which has an ETag. */
export const isTagged = (route: Route): boolean =>
  (!route.raw && route.self === 'resource') || (route.resource !== undefined && (route.status === 201 || route.status === 202));
