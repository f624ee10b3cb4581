import type { z } from 'zod';
import { exampleResponse } from '../../http/openapi/example-response.ts';
import type { JsonRoute } from '../../http/route.ts';
import { routes } from '../routes.ts';
import { describedWebhooks } from '../events/described-webhooks.ts';

const json = routes.filter((route): route is JsonRoute => !route.raw);
/** What raw exchanges take and response with, by media type. */
const raw = routes.flatMap((route) => {
  if (!route.raw) return [];
  const { requestBody, response } = route.openapi;
  return [requestBody?.content ?? {}, response ?? {}].flatMap((content) =>
    Object.entries(content).map(([type, given]) => [route.operationId, type, given] as const),
  );
});
const shown = raw.flatMap(([id, type, { schema, example }]) =>
  example === undefined ? [] : [[id, type, schema as z.ZodType, example] as const],
);

const named = (list: readonly JsonRoute[]) => list.map((route) => [route.operationId, route] as const);

describe('the examples of the description', () => {
  it.each(named(json.filter(({ body }) => body)))(
    'show a body of %s, and it is one that the operation takes',
    (_id, { body, examples }) => {
      expect(examples?.body).toBeDefined();
      expect(body?.safeParse(examples?.body).error).toBeUndefined();
    },
  );

  it.each(named(json))('show a response of %s, with all of its members and no others', (_id, route) => {
    const response = exampleResponse(route);
    expect(response).toBeDefined();
    expect(route.returns.parse(response)).toEqual(response);
  });

  it.each(describedWebhooks.map((webhook) => [webhook.name, webhook] as const))('show the webhook %s', (name, { schema, example }) => {
    expect(example).toMatchObject({ type: name });
    expect(schema.parse(example)).toEqual(example);
  });

  it.each(shown)('of %s as %s are valid requests or responses of the operation', (_id, _type, schema, example) => {
    expect(schema.parse(example)).toEqual(example);
  });

  it('are there for all JSON and all forms of raw exchanges, those with files apart', () => {
    const without = raw.filter(([, type, { example }]) => example === undefined && /json|urlencoded/.test(type));
    expect(without).toEqual([]);
    expect(shown.length).toBeGreaterThan(0);
  });

  it.each(named(json.filter(({ self }) => self)))('say the URL of %s', (_id, route) => {
    expect(exampleResponse(route)).toMatchObject({ self: expect.not.stringContaining('unknown') });
  });
});
