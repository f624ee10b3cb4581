import { readFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '../routes/index.ts';
import { describeApi } from './describe-api.ts';

const description = describeApi(routes) as {
  paths: Record<string, Record<string, { operationId: string; responses: object; security: object[] }>>;
};

describe('the description of the API', () => {
  it('is committed as the route table says (otherwise run: npx nx run gateway:openapi)', () => {
    const committed = readFileSync(path.join(__dirname, '../../openapi.json'), 'utf8');
    expect(committed).toBe(`${JSON.stringify(description, null, 2)}\n`);
  });

  it('has every route, with a name of its own, a credential and its errors', () => {
    const operations = routes.map(({ path, method }) => description.paths[path]?.[method]);
    expect(new Set(operations.map((operation) => operation?.operationId)).size).toBe(routes.length);
    for (const operation of operations) {
      expect(operation?.security).toEqual([{ api_key: [] }]);
      expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(['401', '403', '422', '500']));
    }
  });
});
