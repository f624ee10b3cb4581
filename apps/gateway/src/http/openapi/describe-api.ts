import { VERSIONS } from '@fanfare/resources';
import { OpenAPIRegistry, OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi';
import type { ZodType } from 'zod';
import { problem, problemEnvelope } from '../problems/problem-schema.ts';
import type { Route } from '../route.ts';
import { errorResponses } from './describe-errors.ts';
import { describeRoute } from './describe-route.ts';
import { describeWebhook, type DescribedWebhook } from './describe-webhook.ts';
import { DESCRIBED_BASE_URL } from './described-base-url.ts';
import { headersOf } from './headers.ts';
import { parametersOf } from './parameters.ts';

/** The parts of the description that are not routes. */
interface AboutApi {
  /** Markdown. */
  readonly introduction: string;
  /** What each tag of the routes is about, in the order in which the docs page shows them. */
  readonly tags: Readonly<Record<string, string>>;
  /** How to install the client libraries, in Markdown. */
  readonly clientLibraries: readonly { readonly lang: string; readonly description: string }[];
  /** What is sent to webhook endpoints. */
  readonly webhooks: readonly DescribedWebhook[];
  /** Schemas that others refer to by name only. */
  readonly schemas: readonly ZodType[];
}

/** The OpenAPI 3.1 description of the route table. */
export function describeApi(routes: readonly Route[], about: AboutApi): object {
  const registry = new OpenAPIRegistry();
  const components = {
    securitySchemes: SECURITY,
    headers: headersOf(routes),
    parameters: parametersOf(routes),
    responses: errorResponses(routes, DESCRIBED_BASE_URL),
  };
  for (const [type, byName] of Object.entries(components)) {
    for (const [name, component] of Object.entries(byName)) registry.registerComponent(type as 'responses', name, component as never);
  }
  for (const route of routes) registry.registerPath(describeRoute(route));
  for (const webhook of about.webhooks) registry.registerWebhook(describeWebhook(webhook));

  const schemas = [problem, problemEnvelope, ...about.schemas].map((schema) => ({ type: 'schema' as const, schema }));
  const used = new Set(routes.map(({ tag }) => tag));
  return new OpenApiGeneratorV31([...registry.definitions, ...schemas], { sortComponents: 'alphabetically' }).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Fanfare',
      version: VERSIONS.at(-1) ?? '',
      description: about.introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      // Scalar shows it.
      'x-scalar-sdk-installation': about.clientLibraries,
    },
    servers: [{ url: DESCRIBED_BASE_URL }],
    tags: Object.entries(about.tags).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : [])),
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
