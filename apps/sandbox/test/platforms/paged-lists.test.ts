import { aPost, connectLinkedin } from './connect-linkedin.ts';
import { connectPinterest } from './connect-pinterest.ts';
import { connectTiktok } from './connect-tiktok.ts';
import {
  connectPage,
  connectX,
  mediaServer,
  runningSandbox,
  until,
  type SandboxResponse,
  type RunningSandbox,
} from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;

beforeAll(async () => {
  sandbox = await runningSandbox({ SANDBOX_LIMITS_FACTOR: '100' });
  media = await mediaServer();
});
afterAll(async () => {
  await sandbox.stop();
  await media.stop();
});

/** Creates so many, one after the other. @returns the responses, newest first */
async function inTurn<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = [];
  for (let index = 0; index < count; index++) made.unshift(await make(index));
  return made;
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe('X', () => {
  it('lists posts newest first, 5 to 100 per page, and continues from a token', async () => {
    const user = await connectX(sandbox);
    const { id } = (await user.get('users/me')).body.data;
    const posts = await inTurn(6, (index) => user.post('tweets', { text: `Post ${index}` }));
    const ids = posts.map(({ body }) => body.data.id as string);
    const list = (query: string) => user.get(`users/${id}/tweets?${query}`);
    const first = (await list('max_results=5')).body;
    expect(idsOf(first.data)).toEqual(ids.slice(0, 5));
    const second = (await list(`max_results=5&pagination_token=${first.meta.next_token}`)).body;
    expect(idsOf(second.data)).toEqual(ids.slice(5));
    expect(second.meta).not.toHaveProperty('next_token');
    expect(idsOf((await list(`until_id=${ids[1]}&since_id=${ids[4]}`)).body.data)).toEqual(ids.slice(2, 4));
    for (const wrong of ['max_results=4', 'max_results=101', 'pagination_token=nonsense', 'cursor=1'])
      expect((await list(wrong)).status).toBe(400);
  });
});

describe('LinkedIn', () => {
  it('lists posts by start and count, with links to the neighbouring pages', async () => {
    const user = await connectLinkedin(sandbox);
    const posts = await inTurn(3, () => user.post('posts', aPost(user.page)));
    const urns = posts.map(({ headers }) => headers.get('x-restli-id'));
    const list = (query: string) => user.find(`posts?q=author&author=${encodeURIComponent(user.page)}&sortBy=CREATED${query}`);
    const first = (await list('&count=2')).body;
    expect(idsOf(first.elements)).toEqual(urns.slice(0, 2));
    const [link, ...more] = first.paging.links;
    expect(more).toEqual([]);
    expect(link).toMatchObject({ rel: 'next', type: 'application/json', href: expect.stringMatching(/^\/rest\/posts\?.*start=2/) });
    const second = (await list('&count=2&start=2')).body;
    expect(idsOf(second.elements)).toEqual(urns.slice(2));
    expect(second.paging.links).toMatchObject([{ rel: 'prev', href: expect.stringContaining('start=0') }]);
    expect((await list('&start=3')).body.elements).toEqual([]);
    for (const wrong of ['&count=101', '&start=x', '&cursor=1']) expect((await list(wrong)).status).toBe(400);
  });
});

describe('Pinterest', () => {
  it.each(['', '/sections/'])('lists the pins of a board%s by bookmarks', async (of) => {
    const user = await connectPinterest(sandbox);
    const [section] = (await user.get(`boards/${user.board}/sections`)).body.items;
    const media_source = { source_type: 'image_url', url: media.url('square.jpg') };
    const pin = { board_id: user.board, title: 'A pin', media_source, ...(of && { board_section_id: section.id }) };
    const pins = await inTurn(3, () => user.post('pins', pin));
    const ids = pins.map(({ body }) => body.id as string);
    const list = (query: string) => user.get(`boards/${user.board}${of && `${of}${section.id}`}/pins?${query}`);
    const first = (await list('page_size=2')).body;
    expect(idsOf(first.items)).toEqual(ids.slice(0, 2));
    const second = (await list(`page_size=2&bookmark=${first.bookmark}`)).body;
    expect(second.items[0]).toMatchObject({ id: ids[2] });
    for (const wrong of ['page_size=0', 'page_size=251', 'bookmark=nonsense', 'cursor=1']) expect((await list(wrong)).status).toBe(400);
  });
});

describe('TikTok', () => {
  it('lists posts by time, 20 per page, with the beginning of long texts', async () => {
    const user = await connectTiktok(sandbox);
    const source_info = { source: 'PULL_FROM_URL', photo_images: [media.url('square.jpg')], photo_cover_index: 0 };
    const post_info = { title: 'Fresh', description: 'coffee '.repeat(30), privacy_level: 'PUBLIC_TO_EVERYONE' };
    await inTurn(3, async () => {
      const body = { media_type: 'PHOTO', post_mode: 'DIRECT_POST', post_info, source_info };
      const { publish_id } = (await user.post('/post/publish/content/init/', body)).body.data;
      const isDone = ({ body: { data } }: SandboxResponse) => data.status === 'PUBLISH_COMPLETE';
      await until(() => user.post('/post/publish/status/fetch/', { publish_id }), isDone);
    });
    const list = (body: object) => user.post('/video/list/?fields=id,create_time,video_description', body);
    const whole = (await list({ max_count: 20 })).body.data;
    expect(whole).toMatchObject({ has_more: false, videos: [{}, {}, {}] });
    expect(whole.videos[0].video_description).toBe('coffee '.repeat(30).slice(0, 150));
    const first = (await list({ max_count: 2 })).body.data;
    expect(first).toMatchObject({ has_more: true, videos: whole.videos.slice(0, 2) });
    const second = (await list({ max_count: 2, cursor: first.cursor })).body.data;
    expect(second).toMatchObject({ has_more: false, videos: whole.videos.slice(2) });
    for (const wrong of [{ max_count: 0 }, { max_count: 21 }, { cursor: 'x' }, { offset: 1 }]) expect((await list(wrong)).status).toBe(400);
  });
});

describe('Instagram', () => {
  it.each([
    ['media', {}],
    ['stories', { media_type: 'STORIES' }],
  ])('lists %s by cursors', async (edge, kind) => {
    const page = await connectPage(sandbox, 'instagram');
    const published = await inTurn(3, async () => {
      const container = (await page.post(`${page.instagramId}/media`, { image_url: media.url('square.jpg'), ...kind })).body.id;
      const isReady = ({ body }: SandboxResponse) => body.status_code === 'FINISHED';
      await until(() => page.get(container, { fields: 'status_code' }), isReady);
      return page.post(`${page.instagramId}/media_publish`, { creation_id: container });
    });
    const ids = published.map(({ body }) => body.id as string);
    const list = (query: Record<string, string>) => page.get(`${page.instagramId}/${edge}`, { fields: 'id', ...query });
    const first = (await list({ limit: '2' })).body;
    expect(idsOf(first.data)).toEqual(ids.slice(0, 2));
    expect(new URL(first.paging.next).searchParams.get('after')).toBe(first.paging.cursors.after);
    const second = (await list({ limit: '2', after: first.paging.cursors.after })).body;
    expect(idsOf(second.data)).toEqual(ids.slice(2));
    expect(second.paging).not.toHaveProperty('next');
    expect((await list({ after: 'nonsense' })).status).toBe(400);
  });
});
