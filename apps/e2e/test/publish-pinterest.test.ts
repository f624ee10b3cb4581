import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { anImage, upload } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, untilTerminal } from '../src/publish.ts';

let platform: Platform;
let recipes: string;
let counter: string;

beforeAll(async () => {
  platform = await borrowPlatform(['pinterest']);
  [recipes = '', counter = ''] = await boardsOf(platform.sandbox.url);
});
afterAll(() => platform.stop());

/** Five seconds of a single colour. */
const videoBytes = readFile(path.join(import.meta.dirname, 'fixtures/video.mp4'));

test('an image becomes a pin on the chosen board, with title and link', async () => {
  const platform_overrides = [{ platform: 'pinterest' as const, title: 'Plum cake', options: { board_id: recipes } }];
  const media_ids = [await anImage(platform)];
  const id = await publish(platform, { caption: 'A plum cake recipe', link: 'https://example.com/plums', media_ids, platform_overrides });
  const post = await untilTerminal(platform, id);
  expect(outcomes(post)).toEqual(['pinterest success']);
  expect(post.publish_results[0]?.post_url).toContain(`www.pinterest.com/pin/${post.publish_results[0]?.publish_id}/`);
  expect(await platform.sandbox.posts('A plum cake recipe')).toMatchObject([
    { kind: 'photo', link: 'https://example.com/plums', details: { title: 'Plum cake', board_id: recipes } },
  ]);
});

test('a post without a board fails, and says where to choose one', async () => {
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Where to?', media_ids: [await anImage(platform)] }));
  expect(outcomes(post)).toEqual(['pinterest failed validation_failed']);
  expect(post.publish_results[0]?.error_message).toContain('board_id');
  expect(await platform.sandbox.posts('Where to?')).toEqual([]);
});

test("a video with a cover goes to the board in the account's settings", async () => {
  const integration = `/api/businesses/${platform.tenant.business_id}/integrations/${platform.integrations['pinterest']}`;
  expect((await platform.api('PATCH', integration, { settings: { board_id: counter } })).status).toBe(200);
  const video = await upload(platform, await videoBytes, 'video.mp4', 'video/mp4');
  const cover_media_id = await anImage(platform);
  const post = await untilTerminal(platform, await publish(platform, { caption: 'Our shop', media_ids: [video.id], cover_media_id }));
  expect(outcomes(post)).toEqual(['pinterest success']);
  expect(await platform.sandbox.posts('Our shop')).toMatchObject([{ kind: 'video', details: { board_id: counter } }]);
  const [pin] = await platform.sandbox.requests({ platform: 'pinterest', path: '/v5/pins' }).then((all) => all.slice(-1));
  expect(pin?.body).toMatchObject({ media_source: { source_type: 'video_id', cover_image_url: expect.stringMatching(/^http/) } });
});

/** The boards of the simulated account, read as a separate app. */
async function boardsOf(sandboxUrl: string): Promise<string[]> {
  const redirect_uri = 'https://app.example/callback';
  const query = new URLSearchParams({ client_id: 'sandbox-pinterest', redirect_uri, response_type: 'code', scope: 'boards:read' });
  const headers = { 'x-sandbox-consent': 'allow' };
  const allowed = await fetch(`${sandboxUrl}/www.pinterest.com/oauth/?${query.toString()}`, { headers, redirect: 'manual' });
  const code = new URL(allowed.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const authorization = `Basic ${Buffer.from('sandbox-pinterest:sandbox-pinterest-secret').toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri });
  const api = `${sandboxUrl}/api.pinterest.com/v5`;
  const granted = await fetch(`${api}/oauth/token`, { method: 'POST', headers: { authorization }, body });
  const { access_token } = (await granted.json()) as { access_token: string };
  const listed = await fetch(`${api}/boards`, { headers: { authorization: `Bearer ${access_token}` } });
  return ((await listed.json()) as { items: { id: string }[] }).items.map(({ id }) => id);
}
