import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Access } from '../../accounts/index.ts';
import { NO_BODY, type Route } from '../route.ts';
import { errorRefs } from './describe-errors.ts';
import { exampleAnswer } from './example-answer.ts';
import { headerRefs, type HeaderName } from './headers.ts';
import { isTagged, parameterRefs } from './parameters.ts';
import { sdkSample } from './sdk-sample.ts';

const DONE = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'Done', 303: 'See `Location`' } as const;

export function describeRoute(route: Route): RouteConfig {
  const { method, path, operationId, summary, tag, status, orAccepted, orPage, params, query, returns } = route;
  // What was only set going, such as a mail, is no resource.
  const location = status === 200 || status === 204 || (status === 202 && !route.resource) ? [] : (['Location'] as const);
  const etag = isTagged(route) ? (['ETag'] as const) : [];
  const replayed = route.idempotent ? (['Idempotency-Replayed'] as const) : [];
  const done = (as: keyof typeof DONE, example: unknown) => ({
    [as]: {
      description: DONE[as],
      headers: headerRefs(...location, ...etag, ...replayed, ...tusHeaders(route)),
      ...(returns !== NO_BODY && {
        content: {
          'application/json': { schema: returns, ...exampleOf(example) },
          ...(orPage && { 'text/html': { schema: { type: 'string' as const } } }),
        },
      }),
    },
  });
  return {
    method,
    path,
    operationId,
    summary,
    description: descriptionOf(route),
    tags: [tag],
    ...samplesOf(route),
    security: securityOf(route),
    parameters: parameterRefs(route),
    request: { params: z.object(params), query: z.object(query), ...(hasBody(route) && { body: bodyOf(route) }) },
    responses: {
      ...done(status, exampleAnswer(route)),
      ...(orAccepted && done(202, route.examples?.accepted)),
      ...(orPage === 'page_or_redirect' && { 303: { description: DONE[303], headers: headerRefs('Location') } }),
      ...(isTagged(route) &&
        method === 'get' && { 304: { description: 'The ETag that you have is the current one.', headers: headerRefs('ETag') } }),
      ...errorRefs(route),
    },
  };
}

/** Shown by Scalar and other viewers beside the samples that they make themselves. */
function samplesOf(route: Route): object {
  const source = sdkSample(route);
  return source === undefined ? {} : { 'x-codeSamples': [{ lang: 'TypeScript', label: '@fanfare/sdk', source }] };
}

/** What the answers of resumable uploads say in their headers. */
function tusHeaders({ resumable, method }: Route): HeaderName[] {
  if (!resumable) return [];
  if (method === 'options') return ['Tus-Resumable', 'Tus-Version', 'Tus-Extension'];
  if (method === 'delete') return ['Tus-Resumable'];
  const progress: HeaderName[] = ['Tus-Resumable', 'Upload-Offset', 'Upload-Expires', 'Fanfare-Media-Id'];
  return method === 'head' ? [...progress, 'Upload-Length', 'Upload-Metadata'] : progress;
}

const BYTES = { 'application/offset+octet-stream': { schema: { type: 'string', format: 'binary' } } } as const;

const hasBody = ({ body, resumable, method }: Route) => body !== undefined || (resumable && method === 'patch');

function bodyOf({ body, multipart, form, resumable, examples }: Route) {
  if (!body) return { required: true, content: BYTES };
  return {
    // No body and no Content-Type count as {}.
    required: multipart === true || !body.safeParse({}).success,
    content: {
      [multipart ? 'multipart/form-data' : form ? 'application/x-www-form-urlencoded' : 'application/json']: {
        schema: body,
        ...exampleOf(examples?.body),
      },
      ...(resumable && BYTES),
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
