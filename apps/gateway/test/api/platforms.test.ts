import { connectors } from '@fanfare/connectors';
import type { z } from 'zod';
import { platformLimits } from '../../src/api/platforms/platform-limits.ts';
import { startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

interface Platforms {
  readonly items: readonly {
    name: string;
    limits: Record<string, unknown>;
    options: { properties: object };
    needs_options: string[];
    capabilities: string[];
    statistics: unknown;
  }[];
}
const read = async () => (await (await gateway.call('/api/platforms')).json()) as Platforms;

it('returns the limits of every platform', async () => {
  const { items } = await read();
  expect(items.map(({ name }) => name).sort()).toEqual(Object.keys(connectors).sort());
  const of = (name: string) => items.find((one) => one.name === name);
  expect(of('x')).toMatchObject({
    limits: {
      text: { max: 280, unit: 'x_weighted', max_cashtags: 1 },
      images: { max: 4, gif: { max_bytes: 15_000_000 } },
      videos: { max_duration_ms: 140_000 },
    },
    needs_options: [],
    capabilities: ['publish', 'first_comment', 'account_stats', 'post_stats', 'unpublish'],
    statistics: {
      ...{ is_on: false, metrics: [], periods: ['lifetime'], days_back: 0, audience: [] },
      raw_metrics: [
        { name: 'listed_count', description: expect.any(String) as string, unit: 'count' },
        { name: 'like_count' },
        { name: 'media_count' },
      ],
    },
    source: expect.stringMatching(/^https:/) as string,
    sources: {
      text: expect.stringMatching(/counting-characters$/) as string,
      images: expect.stringMatching(/media\/quickstart\/best-practices$/) as string,
      videos: expect.stringMatching(/media\/quickstart\/best-practices$/) as string,
      options: expect.stringMatching(/posts\/create-post$/) as string,
    },
  });
  expect(of('youtube')).toMatchObject({
    statistics: {
      is_on: true,
      audience: ['age', 'gender', 'country'],
      metrics: expect.arrayContaining([expect.objectContaining({ name: 'estimatedMinutesWatched', unit: 'minutes' })]) as unknown[],
      raw_metrics: expect.not.arrayContaining([expect.objectContaining({ name: 'averageViewDuration' })]) as unknown[],
    },
  });
  expect(of('pinterest')).toMatchObject({
    statistics: { audience: ['age', 'gender'] },
    needs_options: ['board_id'],
    options: {
      type: 'object',
      additionalProperties: false,
      properties: { board_id: { type: 'string', pattern: expect.any(String) as string } },
    },
  });
});

it('describes every field', async () => {
  for (const { name, limits } of (await read()).items) {
    expect({ name, limits: (platformLimits as z.ZodType).parse(limits) }).toEqual({ name, limits });
  }
});

it('does not know whether statistics are on while analytics is unavailable', async () => {
  gateway.services.failures.set('listReadsOff', new Error('unavailable'));
  expect((await read()).items[0]?.statistics).toMatchObject({ is_on: null });
});

it('can be cached for five minutes, and revalidated with its ETag', async () => {
  const response = await gateway.call('/api/platforms');
  expect(response.headers.get('cache-control')).toBe('private, max-age=300');
  expect(response.headers.get('vary')).toMatch(/Authorization/);
  const tag = response.headers.get('etag') ?? '';
  expect((await gateway.call('/api/platforms', { headers: { 'if-none-match': tag } })).status).toBe(304);
  const other = await gateway.call('/api/platforms', { headers: { 'if-none-match': tag, 'service-version': '2026-08-06' } });
  expect([other.status, other.headers.get('etag') === tag]).toEqual([200, false]);
  expect((await gateway.call('/api/plan')).headers.get('cache-control')).toBe('no-store');
});
