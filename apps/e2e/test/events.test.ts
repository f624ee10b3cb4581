import { createFanfare, type Event, type Post } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { jpeg } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { runAdmin } from '../src/run-admin.ts';
import { publish, readPost, untilTerminal } from '../src/publish.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

/** The whole feed of the organization. */
const feed = (): Promise<Event[]> => platform.fanfare.events.list().toArray();

/** Waits for the event that ends the publication of a post. */
const ended = (postId: string): Promise<Event> =>
  eventually(async () => {
    const events = await feed();
    return events.find(
      ({ type, data }) => 'id' in data && data.id === postId && /^post\.(published|partially_published|failed)$/.test(type),
    );
  });

/** What events leave out. */
const asInEvents = ({ self: _, ...post }: Post): object => ({
  ...post,
  media_details: post.media_details.map((media) => ({ ...media, description: '', transcript: '' })),
});

test('the feed has of a post what GET returns, who caused it, and by which request', async () => {
  const { fanfare, tenant } = platform;
  const file = new File([Uint8Array.from(await jpeg())], 'bread.jpg', { type: 'image/jpeg' });
  const media = await fanfare.media.upload(tenant.business_id, { file, alt_text: 'Bread' });
  const id = await publish(platform, { caption: 'Fresh bread', media_ids: [media.id] });
  await untilTerminal(platform, id);
  const last = await ended(id);
  expect(last).toMatchObject({ type: 'post.published', actor: 'system:publisher', business_id: tenant.business_id });
  expect(last.data).toEqual(asInEvents(await readPost(platform, id)));
  const events = await feed();
  const ofMedia = events.find(({ type, data }) => type === 'media.ready' && 'id' in data && data.id === media.id);
  expect(ofMedia).toMatchObject({ actor: expect.stringMatching(/^key:/) as string, request_id: expect.stringMatching(/^req_/) as string });
  expect(ofMedia?.data).toMatchObject({ url: media.url, alt_text: 'Bread' });
  const created = events.find(({ type, data }) => type === 'post.created' && 'id' in data && data.id === id);
  expect(created).toMatchObject({ actor: expect.stringMatching(/^key:/) as string, request_id: expect.stringMatching(/^req_/) as string });
  expect(await fanfare.events.get(last.id)).toEqual(last);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
});

test('an operator follows the feed of an organization as callers see it', async () => {
  const { organization_id } = platform.tenant;
  const tail = (...more: string[]) => runAdmin(platform, 'events', 'tail', '--organization', organization_id, ...more);
  const first = await tail('--after', '0', '--count', '2');
  expect(
    first.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual((await feed()).slice(0, 2));
  const none = await tail('--types', 'post.nothing');
  expect([none.code, none.err]).toEqual([2, expect.stringContaining('is no event type')]);
  const unknown = await runAdmin(platform, 'events', 'tail', '--organization', 'nobody');
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('resource_not_found')]);
});

test('the connected accounts are in the feed', async () => {
  const connected = (await feed()).filter(({ type }) => type === 'integration.connected').map(({ data }) => 'id' in data && data.id);
  expect(connected.sort()).toEqual(Object.values(platform.integrations).sort());
});

test('a feed whose service is killed again and again has each event once, in one order', async () => {
  const { baseUrl, tenant } = platform;
  const before = (await feed()).length;
  const ids: string[] = [];
  for (let round = 0; round < 3; round++) {
    ids.push(
      ...(await Promise.all(Array.from({ length: 5 }, (_, index) => publish(platform, { caption: `Round ${round}, post ${index}` })))),
    );
    await platform.kill('webhooks');
    ids.push(
      ...(await Promise.all(Array.from({ length: 5 }, (_, index) => publish(platform, { caption: `Down ${round}, post ${index}` })))),
    );
    await platform.start('webhooks');
  }
  for (const id of ids) await untilTerminal(platform, id);
  for (const id of ids) await ended(id);
  const events = await createFanfare({ baseUrl, apiKey: tenant.api_key })
    .events.list({ cursor: String(before), limit: 7 })
    .toArray();
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => before + index + 1));
  const typesOf = (id: string) => events.filter(({ data }) => 'id' in data && data.id === id).map(({ type }) => type);
  for (const id of ids)
    expect(typesOf(id)).toEqual(['post.created', expect.stringMatching(/^post\.(published|failed|partially_published)$/)]);
});
