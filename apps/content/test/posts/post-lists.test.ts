import { aBusiness, aList, startContent, type Call, type TestContent } from '../running-content.ts';

let content: TestContent;
let call: Call;

beforeAll(async () => {
  content = await startContent();
});
afterAll(() => content.stop());
beforeEach(() => {
  call = aBusiness();
});

describe('lists', () => {
  const list = (more: Parameters<typeof aList>[0] = {}, by = call) => content.client.listPosts(aList({ pageSize: 2, ...more }), by);
  const create = async (count: number, more = {}) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.unshift((await content.createPost(call, more)).id);
    return ids;
  };

  test('are newest first, with each post once, even if posts are created in between', async () => {
    const ids = await create(5);
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageToken });
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
      await create(1);
    } while (pageToken !== '');
    expect(seen).toEqual(ids);
  });

  test('neither omit nor repeat posts of the same millisecond', async () => {
    const ids = await create(7);
    await content.posts.updateMany({ _id: { $in: ids } }, { $set: { created_at: new Date(0) } });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageToken });
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual([...ids].sort().reverse());
  });

  test('can be filtered by status', async () => {
    const drafts = await create(2, { status: 'POST_STATUS_DRAFT' });
    const fresh = await create(2);
    expect((await list({ statuses: ['POST_STATUS_DRAFT'] })).posts.map(({ id }) => id)).toEqual(drafts);
    const both = await list({ statuses: ['POST_STATUS_DRAFT', 'POST_STATUS_NEW'], pageSize: 10 });
    expect(both.posts.map(({ id }) => id)).toEqual([...fresh, ...drafts]);
  });

  test('can be filtered by scheduled time, exclusive of the end, newest first', async () => {
    const at = (hour: number) => new Date(Date.UTC(2031, 0, 1, hour));
    const [one, two, three] = [
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(3) }),
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(1) }),
      await content.createPost(call, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime: at(2) }),
    ].map(({ id }) => id);
    await create(2);
    const found = async (more: object) => (await list({ pageSize: 10, ...more })).posts.map(({ id }) => id);
    expect(await found({ scheduledFrom: at(1) })).toEqual([three, two, one]);
    expect(await found({ scheduledTo: at(3) })).toEqual([three, two]);
    expect(await found({ scheduledFrom: at(2), scheduledTo: at(3) })).toEqual([three]);
    expect(await found({ scheduledFrom: at(2), scheduledTo: at(2) })).toEqual([]);
    expect(await found({ scheduledFrom: at(1), statuses: ['POST_STATUS_NEW'] })).toEqual([]);
    expect(await found({ scheduledFrom: at(1), statuses: ['POST_STATUS_NEW', 'POST_STATUS_SCHEDULED'] })).toEqual([three, two, one]);
    await expect(found({ scheduledFrom: at(2), scheduledTo: at(1) })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'scheduled_to',
    });
    const page = await list({ pageSize: 2, scheduledFrom: at(1) });
    const rest = await list({ pageSize: 2, scheduledFrom: at(1), pageToken: page.nextPageToken });
    expect([...page.posts, ...rest.posts].map(({ id }) => id)).toEqual([three, two, one]);
    await expect(list({ pageSize: 2, scheduledFrom: at(2), pageToken: page.nextPageToken })).rejects.toMatchObject({ param: 'cursor' });
    await expect(list({ pageSize: 2, pageToken: page.nextPageToken })).rejects.toMatchObject({ param: 'cursor' });
  });

  test('end a page early if it would be larger than 2 MiB, and omit nothing', async () => {
    // Each of these characters is 6 bytes in JSON.
    const ids = await create(8, { caption: '\u0001'.repeat(50_000), metadata: [{ key: 'k', value: 'ä'.repeat(100_000) }] });
    const seen: string[] = [];
    let pageToken = '';
    do {
      const page = await list({ pageSize: 100, pageToken });
      expect(Buffer.byteLength(JSON.stringify(page.posts))).toBeLessThan(2 << 20);
      expect(page.posts.length).toBeGreaterThan(page.nextPageToken === '' ? 0 : 2);
      seen.push(...page.posts.map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== '');
    expect(seen).toEqual(ids);
  });

  test('reject a page token of another list, or a modified one', async () => {
    await create(3, { status: 'POST_STATUS_DRAFT' });
    const { nextPageToken: token } = await list({ statuses: ['POST_STATUS_DRAFT'] });
    const rejection = { code: 'invalid_request', param: 'cursor' };
    await expect(list({ pageToken: token })).rejects.toMatchObject(rejection);
    await expect(list({ pageToken: token, statuses: ['POST_STATUS_DRAFT'] }, aBusiness())).rejects.toMatchObject(rejection);
    const changed = Array.from({ length: token.length }, (_, index) => {
      const other = token[index] === 'A' ? 'B' : 'A';
      return token.slice(0, index) + other + token.slice(index + 1);
    });
    for (const pageToken of [...changed, `${token}A`, `${token}=`, token.slice(1), token.slice(0, -1), 'nonsense', '%%']) {
      await expect(list({ pageToken, statuses: ['POST_STATUS_DRAFT'] })).rejects.toMatchObject(rejection);
    }
  });
});
