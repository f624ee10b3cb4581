import type { RouteConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { Access } from '../../accounts/index.ts';
import { toCsv } from '../response/csv.ts';
import type { Content, RawDescription } from '../raw-route.ts';
import type { JsonRoute, Route } from '../route.ts';
import { errorRefs } from './describe-errors.ts';
import { exampleResponse } from './example-response.ts';
import { headerRefs } from './headers.ts';
import { isTagged, parameterRefs } from './parameters.ts';
import { sdkSample } from './sdk-sample.ts';

const DONE = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'Done', 303: 'See `Location`' } as const;

export function describeRoute(route: Route): RouteConfig {
  const { method, path, operationId, summary, tag, status, params, query } = route;
  const { requestBody, response, orAccepted, responseHeaders, orRedirects } = route.raw
    ? { ...route.openapi, orAccepted: undefined }
    : describeJson(route);
  // A 202 without a resource only started something, such as a mail, so there is no Location.
  const location = status === 200 || status === 204 || (status === 202 && !route.resource) ? [] : (['Location'] as const);
  const etag = isTagged(route) ? (['ETag'] as const) : [];
  const replayed = route.idempotent ? (['Idempotency-Replayed'] as const) : [];
  const deprecation = route.deprecated ? (['Deprecation', 'Link'] as const) : [];
  const next = isPagedTable(route) ? (['Link'] as const) : [];
  const headers = headerRefs([...location, ...deprecation, ...next, ...etag, ...replayed], responseHeaders);
  const done = (as: keyof typeof DONE, content: Content | undefined) => ({
    [as]: { description: DONE[as], headers, ...(content && { content }) },
  });
  return {
    method,
    path,
    operationId,
    summary,
    ...(route.deprecated && { deprecated: true }),
    description: descriptionOf(route),
    tags: [tag],
    ...samplesOf(route),
    security: securityOf(route),
    parameters: parameterRefs(route),
    request: { params: z.object(params), query: z.object(query), ...(requestBody && { body: requestBody }) },
    responses: {
      ...done(status, response),
      ...(orAccepted && done(202, orAccepted)),
      ...(orRedirects && { 303: { description: DONE[303], headers: headerRefs(['Location']) } }),
      ...(isTagged(route) && method === 'get' && { 304: { description: 'Your ETag is current.', headers: headerRefs(['ETag']) } }),
      ...errorRefs(route),
    },
  };
}

/** A table has no member for the cursor of the next page. */
const isPagedTable = (route: Route): boolean =>
  !route.raw &&
  route.csv !== undefined &&
  route.returns instanceof z.ZodObject &&
  ('next_cursor' in route.returns.shape || 'next' in route.returns.shape);

function describeJson(route: JsonRoute): RawDescription & { readonly orAccepted?: Content | undefined } {
  const { body, returns, orAccepted, examples, csv, stream } = route;
  const json = (schema: z.ZodType, example: unknown): Content => ({
    'application/json': { schema, ...(example === undefined ? {} : { example }) },
  });
  return {
    // No body and no Content-Type count as {}.
    ...(body && { requestBody: { required: !body.safeParse({}).success, content: json(body, examples?.body) } }),
    response: {
      ...json(returns, exampleResponse(route)),
      ...(stream && { 'text/event-stream': { schema: { type: 'string' } } }),
      ...(csv && { 'text/csv': { schema: { type: 'string' }, example: toCsv(csv(examples?.response)) } }),
    },
    orAccepted: orAccepted && json(returns, examples?.accepted),
  };
}

/** Shown by Scalar and other viewers beside the samples that they make themselves. */
function samplesOf(route: Route): object {
  const source = sdkSample(route);
  return source === undefined ? {} : { 'x-codeSamples': [{ lang: 'TypeScript', label: '@fanfare/sdk', source }] };
}

function securityOf({ scope, access }: Route) {
  if (scope === 'none') return [];
  return [...(access.keys ? [{ api_key: [] }] : []), { access_token: [] }];
}

function descriptionOf({ description, scope, access, idempotent }: Route): string {
  return [description, scope === 'none' ? undefined : whoMay(access), idempotent && 'Accepts an `Idempotency-Key`.']
    .filter(Boolean)
    .join('\n\n');
}

function whoMay({ keys, users }: Access): string {
  const people = users === 'viewer' ? 'signed-in users with any role' : `signed-in users with the role \`${users}\` or higher`;
  return keys ? `Access: API keys and ${people}.` : `Access: ${people}; not API keys.`;
}
