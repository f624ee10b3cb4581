import type { Entry } from '@fanfare/contracts/timeline';
import { newId } from '@fanfare/runtime';
import { aPost } from '../values.ts';
import { expectProblem, startGateway, type RunningGateway } from '../running-gateway.ts';
import { exampleEntries, timelineEntry } from '../../src/api/timeline/timeline-entry.ts';

let gateway: RunningGateway;
let timeline: string;
beforeAll(async () => {
  gateway = await startGateway();
  timeline = `/api/businesses/${gateway.businessId}/posts/p/timeline`;
  gateway.services.posts.set('p', aPost({ id: 'p', businessId: gateway.businessId }));
});
afterAll(() => gateway.stop());
beforeEach(() => {
  for (const service of ['content', 'publisher'] as const) gateway.services.timelines[service].length = 0;
});

/** @param at in milliseconds */
function record(service: 'content' | 'publisher', at: number, id: string, more: Partial<Entry> = {}): void {
  const entry = {
    id,
    at: new Date(Date.UTC(2026, 7, 6) + at),
    kind: 'edited',
    actor: 'key:1',
    requestId: '',
    details: { fields: [] },
    ...more,
  };
  gateway.services.timelines[service].push({ postId: 'p', entry });
}

interface Page {
  readonly items: readonly { readonly id: string; readonly summary: string; readonly details: unknown }[];
  readonly next: string | null;
}
const read = async (query = ''): Promise<Page> => (await gateway.call(`${timeline}${query}`)).json() as Promise<Page>;

test('entries of both services are merged by time, whatever the size of a page', async () => {
  for (const n of [1, 2, 3, 4, 5]) record('content', n * 10, `p:${n}`);
  for (const n of [1, 2, 3]) record('publisher', n * 10 + 5, `d1:${n}`);
  // At the same time as one of content, and several at one time.
  for (const n of [1, 2, 3]) record('publisher', 30, `d2:${n}`);
  const whole = (await read()).items.map(({ id }) => id);
  expect(whole).toEqual(['p:1', 'd1:1', 'p:2', 'd1:2', 'd2:1', 'd2:2', 'd2:3', 'p:3', 'd1:3', 'p:4', 'p:5']);
  for (const limit of [1, 2, 3, 4, 11]) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { items, next }: Page = await read(`?limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      expect(items.length).toBeLessThanOrEqual(limit);
      found.push(...items.map(({ id }) => id));
      cursor = next;
    }
    expect(found).toEqual(whole);
  }
});

test('an entry says what happened in words, where, and in fields that are null if absent', async () => {
  const target = { platform: 'google_business', integration_id: 'i', delivery_id: 'd' };
  record('publisher', 1, 'd:1', {
    kind: 'waiting',
    requestId: 'req_1',
    details: { ...target, reason: 'rate_limited', more: 'of a newer version' },
  });
  record('publisher', 2, 'd:2', { kind: 'of_a_newer_version', details: { ...target, some: 'thing' } });
  const { items } = await read();
  expect(items).toEqual([
    {
      id: 'd:1',
      at: '2026-08-06T00:00:00.001Z',
      kind: 'waiting',
      actor: 'key:1',
      request_id: 'req_1',
      ...target,
      summary: 'The delivery to Google Business waits for the limit of the platform.',
      details: { reason: 'rate_limited', until: null, message: null },
    },
    expect.objectContaining({ kind: 'of_a_newer_version', request_id: null, summary: 'of_a_newer_version', details: { some: 'thing' } }),
  ]);
});

test.each(exampleEntries.map((one) => [one.kind, one] as const))('the example of %s fits its description', (_kind, entry) => {
  expect(timelineEntry.parse(entry)).toEqual(entry);
  expect(entry.summary).toMatch(/^[A-Z].*\S$/);
  expect(entry.summary).not.toMatch(/null|undefined|\[object/);
});

test('a cursor works only for the timeline that it came from', async () => {
  for (const n of [1, 2]) record('content', n, `p:${n}`);
  const { next } = await read('?limit=1');
  gateway.services.posts.set('q', aPost({ id: 'q', businessId: gateway.businessId }));
  const other = await gateway.call(`/api/businesses/${gateway.businessId}/posts/q/timeline?cursor=${encodeURIComponent(next ?? '')}`);
  await expectProblem(other, { status: 400, code: 'invalid_request', param: 'cursor' });
});

test('posts of others and unknown posts have no timeline', async () => {
  gateway.services.posts.set('other', aPost({ id: 'other', businessId: newId() }));
  for (const id of ['other', newId()]) {
    const response = await gateway.call(`/api/businesses/${gateway.businessId}/posts/${id}/timeline`);
    await expectProblem(response, { status: 404, code: 'resource_not_found' });
  }
});
