import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Route } from '../route.ts';
import { VERSIONS } from '../versions/index.ts';
import { describeErrors } from './describe-errors.ts';

/** On every answer. */
const HEADERS = {
  'X-Request-Id': 'Unique for each request; begins with req_.',
  'X-Flow-ID': "The request's own, or a new one.",
  'Service-Version': 'The version that is served.',
};
const headerRefs = Object.fromEntries(Object.keys(HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const locationRef = { Location: { $ref: '#/components/headers/Location' } };

const requestHeaders = z.object({
  'Service-Version': z
    .string()
    .optional()
    .meta({
      description: `Pins a version: ${[...VERSIONS].join(', ')}. When it is left out or unknown, the first is served.`,
      example: [...VERSIONS].at(-1),
    }),
  'X-Flow-ID': z
    .string()
    .optional()
    .meta({ description: 'Correlates the requests of one flow: up to 128 visible ASCII characters; echoed.' }),
});

/** The OpenAPI 3.1 description of the route table. */
export function describeApi(routes: readonly Route[]): object {
  const registry = new OpenAPIRegistry();
  const apiKey = registry.registerComponent('securitySchemes', 'api_key', {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key of your organization: fk_live_… or fk_test_….',
  });
  for (const [name, description] of Object.entries({ ...HEADERS, Location: 'The resource, or what to poll.' })) {
    registry.registerComponent('headers', name, { description, schema: { type: 'string' } });
  }
  for (const route of routes) {
    registry.registerPath({ ...describeRoute(route), security: route.scope === 'none' ? [] : [{ [apiKey.name]: [] }] });
  }
  return new OpenApiGeneratorV31(registry.definitions, { sortComponents: 'alphabetically' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Fanfare',
      version: [...VERSIONS].at(-1) ?? '',
      description: 'Create posts and publish them to connected social accounts.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
  });
}

function describeRoute(route: Route): RouteConfig {
  const { method, path, operationId, summary, description, tag, status, params, query, body, multipart, returns } = route;
  return {
    method,
    path,
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    request: {
      params: z.object(params),
      query: z.object(query),
      headers: requestHeaders,
      ...(body ? { body: { content: { [multipart ? 'multipart/form-data' : 'application/json']: { schema: body } } } } : {}),
    },
    responses: {
      [status]: {
        description: { 200: 'OK', 201: 'Created', 202: 'Accepted: poll the resource at Location', 303: 'See Location' }[status],
        headers: status === 200 ? headerRefs : { ...headerRefs, ...locationRef },
        content: { 'application/json': { schema: returns } },
      },
      ...describeErrors(route, headerRefs),
    },
  };
}
