import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Access } from '../access.ts';
import type { Route } from '../route.ts';
import { errorRefs } from './describe-errors.ts';
import { exampleAnswer } from './example-answer.ts';
import { headerRefs } from './headers.ts';
import { isTagged, parameterRefs } from './parameters.ts';

const DONE = { 200: 'OK', 201: 'Created', 202: 'Accepted', 303: 'See `Location`' } as const;

export function describeRoute(route: Route): RouteConfig {
  const { method, path, operationId, summary, tag, status, params, query, returns } = route;
  // What was only set going, such as a mail, is no resource.
  const location = status === 200 || (status === 202 && !route.resource) ? [] : (['Location'] as const);
  const etag = isTagged(route) ? (['ETag'] as const) : [];
  const replayed = route.idempotent ? (['Idempotency-Replayed'] as const) : [];
  return {
    method,
    path,
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    security: securityOf(route),
    parameters: parameterRefs(route),
    request: { params: z.object(params), query: z.object(query), ...(route.body && { body: bodyOf(route) }) },
    responses: {
      [status]: {
        description: DONE[status],
        headers: headerRefs(...location, ...etag, ...replayed),
        content: {
          'application/json': { schema: returns, ...exampleOf(exampleAnswer(route)) },
        },
      },
      ...(isTagged(route) &&
        method === 'get' && { 304: { description: 'The ETag that you have is the current one.', headers: headerRefs('ETag') } }),
      ...errorRefs(route),
    },
  };
}

function bodyOf({ body, multipart, examples }: Route) {
  const schema = body as z.ZodType;
  return {
    // No body and no Content-Type count as {}.
    required: multipart === true || !schema.safeParse({}).success,
    content: {
      [multipart ? 'multipart/form-data' : 'application/json']: {
        schema,
        ...exampleOf(examples?.body),
      },
    },
  };
}

const exampleOf = (example: unknown) => (example === undefined ? {} : { example });

function securityOf({ scope, access }: Route) {
  if (scope === 'none') return [];
  return [...(access.keys ? [{ api_key: [] }] : []), { access_token: [] }];
}

function descriptionOf({ description, scope, access, idempotent }: Route): string {
  return [description, scope === 'none' ? undefined : whoMay(access), idempotent && 'Idempotent with an `Idempotency-Key`.']
    .filter(Boolean)
    .join('\n\n');
}

function whoMay({ keys, users }: Access): string {
  const people = users === 'viewer' ? 'signed-in users of every role' : `signed-in users from the role \`${users}\``;
  return keys ? `For API keys and ${people}.` : `For ${people}; not for API keys.`;
}
