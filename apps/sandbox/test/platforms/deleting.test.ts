import { connectorFor, PLATFORMS } from '@fanfare/connectors';
import { connectBusiness } from './connect-google-business.ts';
import { aPost, connectLinkedin, rest } from './connect-linkedin.ts';
import { connectPinterest } from './connect-pinterest.ts';
import { api as youtubeApi, connectChannel, everything, scope } from './connect-youtube.ts';
import { connectPage, connectX, mediaServer, reel, runningSandbox, type RunningSandbox, type SandboxResponse } from '../running-sandbox.ts';

let sandbox: RunningSandbox;
let media: Awaited<ReturnType<typeof mediaServer>>;

beforeAll(async () => {
  sandbox = await runningSandbox();
  media = await mediaServer();
});
afterAll(async () => {
  await media.stop();
  await sandbox.stop();
});

/** Who publishes a post and deletes it, who may not, and what the platform says. */
interface Deleting {
  publish(): Promise<string>;
  delete(id: string): Promise<SandboxResponse>;
  /** With the token of an account that does not own the post. */
  deleteOfOther(id: string): Promise<SandboxResponse>;
  /** With a token that lacks the scope. */
  deleteUnscoped(id: string): Promise<SandboxResponse>;
}

const deleted = (url: string, headers: Record<string, string>) => sandbox.call(url, { method: 'DELETE', headers });
const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` });

async function another(platform: string): Promise<string> {
  const { body } = await sandbox.control('/accounts', { platform, username: `other_${platform}`, name: 'Other' });
  return body.id as string;
}

const platforms: Record<string, () => Promise<Deleting>> = {
  async facebook() {
    const page = await connectPage(sandbox);
    const reader = await connectPage(sandbox, 'facebook', 'pages_show_list,pages_read_engagement');
    const graph = (id: string, token: string) => deleted(`https://graph.facebook.com/v25.0/${id}?${page.query(token)}`, {});
    return {
      publish: async () => (await page.post(`${page.pageId}/feed`, { message: `Hello ${Math.random()}` })).body.id,
      delete: (id) => graph(id, page.token),
      deleteOfOther: (id) => graph(id, page.userToken),
      deleteUnscoped: (id) => graph(id, reader.token),
    };
  },
  async google_business() {
    const owner = await connectBusiness(sandbox);
    const other = await connectBusiness(sandbox, undefined, await another('google_business'));
    const url = (id: string) => `https://mybusiness.googleapis.com/v4/${id}`;
    const standard = { languageCode: 'en', topicType: 'STANDARD' };
    return {
      publish: async () => (await owner.post({ ...standard, summary: `Hello ${Math.random()}` })).body.name,
      delete: (id) => deleted(url(id), owner.headers),
      deleteOfOther: (id) => deleted(url(id), other.headers),
      // There is only one scope.
      deleteUnscoped: (id) => deleted(url(id), other.headers),
    };
  },
  async linkedin() {
    const person = await connectLinkedin(sandbox);
    const reader = await connectLinkedin(sandbox, 'openid profile');
    const other = await connectLinkedin(sandbox, 'openid profile w_member_social');
    const url = (id: string) => `${rest}/posts/${encodeURIComponent(id)}`;
    return {
      publish: async () => (await person.post('posts', aPost(person.page))).headers.get('x-restli-id') ?? '',
      delete: (id) => deleted(url(id), person.headers),
      deleteOfOther: (id) => deleted(url(id), other.headers),
      deleteUnscoped: (id) => deleted(url(id), reader.headers),
    };
  },
  async pinterest() {
    const user = await connectPinterest(sandbox);
    const other = await connectPinterest(sandbox, undefined, await another('pinterest'));
    const reader = await connectPinterest(sandbox, 'boards:read,pins:read');
    const media_source = { source_type: 'image_url', url: media.url('square.jpg') };
    return {
      publish: async () => (await user.post('pins', { board_id: user.board, media_source })).body.id,
      delete: (id) => user.remove(`pins/${id}`),
      deleteOfOther: (id) => other.remove(`pins/${id}`),
      deleteUnscoped: (id) => reader.remove(`pins/${id}`),
    };
  },
  async x() {
    const user = await connectX(sandbox);
    const other = await connectX(sandbox, undefined, await another('x'));
    const reader = await connectX(sandbox, 'tweet.read users.read');
    const url = (id: string) => `https://api.x.com/2/tweets/${id}`;
    return {
      publish: async () => (await user.post('tweets', { text: `Hello ${Math.random()}` })).body.data.id,
      delete: (id) => deleted(url(id), bearer(user.tokens.access_token)),
      deleteOfOther: (id) => deleted(url(id), bearer(other.tokens.access_token)),
      deleteUnscoped: (id) => deleted(url(id), bearer(reader.tokens.access_token)),
    };
  },
  async youtube() {
    const channel = await connectChannel(sandbox);
    const other = await connectChannel(sandbox, everything, await another('youtube'));
    const uploader = await connectChannel(sandbox, scope('youtube.upload', 'youtube.readonly'));
    const url = (id: string) => `${youtubeApi}/videos?id=${id}`;
    const metadata = {
      snippet: { title: 'A video', description: '', categoryId: '22' },
      status: { privacyStatus: 'public', selfDeclaredMadeForKids: false },
    };
    return {
      async publish() {
        const session = (await channel.start(metadata)).headers.get('location') ?? '';
        return (await channel.put(session, `bytes 0-${reel.length - 1}/${reel.length}`, reel)).body.id;
      },
      delete: (id) => deleted(url(id), bearer(channel.tokens.access_token)),
      deleteOfOther: (id) => deleted(url(id), bearer(other.tokens.access_token)),
      deleteUnscoped: (id) => deleted(url(id), bearer(uploader.tokens.access_token)),
    };
  },
};

test('every platform whose posts a connector deletes is tested here', () => {
  expect(Object.keys(platforms).sort()).toEqual(PLATFORMS.filter((platform) => connectorFor(platform).unpublish !== undefined).sort());
});

const postIds = async (): Promise<string[]> => (await sandbox.control('/posts')).body.items.map(({ id }: { id: string }) => id);

describe.each([
  ['facebook', 200, 400, 400, 403],
  ['google_business', 200, 404, 403, 403],
  // LinkedIn calls deletions idempotent.
  ['linkedin', 204, 204, 403, 403],
  ['pinterest', 204, 404, 404, 403],
  ['x', 200, 403, 403, 403],
  ['youtube', 204, 404, 403, 403],
])('%s', (platform, success, again, ofOther, unscoped) => {
  let deleting: Deleting;
  beforeAll(async () => {
    deleting = (await platforms[platform]?.()) as Deleting;
  });

  it('deletes a post once, of its own account, with the scope for it', async () => {
    const id = await deleting.publish();
    expect((await deleting.deleteOfOther(id)).status).toBe(ofOther);
    expect((await deleting.deleteUnscoped(id)).status).toBe(unscoped);
    expect(await postIds()).toContain(id);
    expect((await deleting.delete(id)).status).toBe(success);
    expect(await postIds()).not.toContain(id);
    expect((await sandbox.call('/')).text).not.toContain(id);
    expect((await deleting.delete(id)).status).toBe(again);
  });

  it('may do so and be silent about it', async () => {
    const id = await deleting.publish();
    await sandbox.control('/faults', {
      platform,
      call: `${platform}.delete_${{ pinterest: 'pin', youtube: 'video', facebook: 'object' }[platform] ?? 'post'}`,
      fault: { type: 'accept_then_drop' },
    });
    await expect(deleting.delete(id)).rejects.toThrow();
    expect(await postIds()).not.toContain(id);
    expect((await deleting.delete(id)).status).toBe(again);
  });
});

it('deletes comments with their post', async () => {
  const page = await connectPage(sandbox);
  const { body } = await page.post(`${page.pageId}/feed`, { message: 'Under discussion' });
  const comment = await page.post(`${body.id}/comments`, { message: 'Yes' });
  expect(comment.status).toBe(200);
  await deleted(`https://graph.facebook.com/v25.0/${body.id}?${page.query(page.token)}`, {});
  expect(await postIds()).not.toContain(comment.body.id);
});
