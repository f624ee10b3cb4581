import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import { platformOptionSchemas } from '../../api/platforms/platform-options.ts';
import { problem, problemEnvelope } from '../problems/problem-schema.ts';
import type { Route } from '../route.ts';
import { VERSIONS } from '../versions/index.ts';
import { errorResponses } from './describe-errors.ts';
import { describeRoute } from './describe-route.ts';
import { DESCRIBED_BASE_URL } from './described-base-url.ts';
import { HEADERS } from './headers.ts';
import { INTRODUCTION } from '../../api/openapi/introduction.ts';
import { PARAMETERS } from './parameters.ts';
import { TAGS } from '../../api/openapi/tags.ts';

/** The OpenAPI 3.1 description of the route table. */
export function describeApi(routes: readonly Route[]): object {
  const registry = new OpenAPIRegistry();
  const components = {
    securitySchemes: SECURITY,
    headers: HEADERS,
    parameters: PARAMETERS,
    responses: errorResponses(routes, DESCRIBED_BASE_URL),
  };
  for (const [type, byName] of Object.entries(components)) {
    for (const [name, component] of Object.entries(byName)) registry.registerComponent(type as 'responses', name, component as never);
  }
  for (const route of routes) registry.registerPath(describeRoute(route));

  const schemas = [problem, problemEnvelope, ...platformOptionSchemas].map((schema) => ({ type: 'schema' as const, schema }));
  const used = new Set(routes.map(({ tag }) => tag));
  return new OpenApiGeneratorV31([...registry.definitions, ...schemas], { sortComponents: 'alphabetically' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Fanfare',
      version: VERSIONS.at(-1) ?? '',
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: DESCRIBED_BASE_URL }],
    tags: Object.entries(TAGS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
  });
}

const SECURITY = {
  api_key: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'fk_…',
    description: 'An API key of your organization: `fk_live_…` or `fk_test_…`.',
  },
  access_token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'The access token of a signed-in user.' },
} as const;
