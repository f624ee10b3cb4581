import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ERROR_TABLE } from '@fanfare/errors';
import { routes } from '../routes.ts';
import { description as made } from './description.ts';
import { TAGS } from './tags.ts';

interface Response {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { examples?: Record<string, { value: Record<string, unknown> }> }>;
}

const description = made as {
  info: Record<string, unknown>;
  paths: Record<
    string,
    Record<string, { operationId: string; description: string; responses: Record<string, Response>; security: object[] }>
  >;
  components: { responses: Record<string, Response>; headers: Record<string, unknown> };
};
const operations = routes.map((route) => ({ route, operation: description.paths[route.path]?.[route.method] }));
const resolve = (response: Response | undefined) =>
  response?.$ref === undefined ? response : description.components.responses[response.$ref.split('/').at(-1) ?? ''];

describe('the description of the API', () => {
  it('matches the committed file (otherwise run: npx nx run gateway:openapi)', () => {
    const committed = readFileSync(path.join(import.meta.dirname, '../../../openapi.json'), 'utf8');
    expect(committed).toBe(`${JSON.stringify(description, null, 2)}\n`);
  });

  it('says how to install the client library', () => {
    const { name } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../../../libs/sdk/package.json'), 'utf8')) as {
      name: string;
    };
    const installed = { lang: 'TypeScript', description: expect.stringContaining(`\`${name}\``) };
    expect(description.info['x-scalar-sdk-installation']).toEqual([installed]);
  });

  it('has every route, with a unique name and a described tag', () => {
    expect(new Set(operations.map(({ operation }) => operation?.operationId)).size).toBe(routes.length);
    expect(routes.map(({ tag }) => tag).filter((tag) => !Object.hasOwn(TAGS, tag))).toEqual([]);
  });

  it.each(operations.map((one) => [one.route.operationId, one] as const))(
    'says who can call %s, and its errors',
    (_id, { route, operation }) => {
      const token = { access_token: [] };
      const key = { api_key: [] };
      expect(operation?.security).toEqual(route.scope === 'none' ? [] : route.access.keys ? [key, token] : [token]);
      const expected = route.scope === 'none' ? ['422', '429', '500'] : ['401', '403', '422', '429', '500'];
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(expected));
    },
  );

  it('shows an example for every code of every error, and the headers that every response has', () => {
    for (const { operation } of operations) {
      for (const [status, given] of Object.entries(operation?.responses ?? {})) {
        const response = resolve(given);
        for (const header of ['X-Request-Id', 'X-Flow-ID', 'Service-Version', 'RateLimit-Remaining', 'X-RateLimit-Reset']) {
          expect(response?.headers).toHaveProperty([header]);
        }
        if (Number(status) < 400) continue;
        for (const [code, { value }] of Object.entries(response?.content?.['application/problem+json']?.examples ?? {})) {
          expect(value).toMatchObject({ code, status: Number(status), title: ERROR_TABLE[code as keyof typeof ERROR_TABLE].title });
        }
        expect(Object.keys(response?.content?.['application/json']?.examples ?? {})).not.toEqual([]);
      }
    }
  });
});
