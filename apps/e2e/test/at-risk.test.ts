import { eventually } from '@fanfare/testing';
import { applyPatch } from 'rfc6902';
import { anImage } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { readPost } from '../src/publish.ts';

let platform: Platform;
let business: string;
beforeAll(async () => {
  platform = await borrowPlatform(['x', 'pinterest']);
  business = `/api/businesses/${platform.tenant.business_id}`;
});
afterAll(() => platform.stop());

interface ScheduledPost {
  readonly id: string;
  readonly platform_overrides: object[];
  readonly at_risk: readonly { code: string; platform: string; field: string; fix: Parameters<typeof applyPatch>[1] | null }[] | null;
}
const schedule = async (more: object) => {
  const scheduled_publish_time = new Date(Date.now() + 3600_000).toISOString();
  return (await platform.api<ScheduledPost>('POST', `${business}/posts`, { status: 'SCHEDULED', scheduled_publish_time, ...more })).body;
};
const codesOf = ({ at_risk }: Pick<ScheduledPost, 'at_risk'>) => at_risk?.map(({ code, platform: name }) => `${name} ${code}`) ?? [];

test('a scheduled post that the platform would reject is fixed by the offered fix', async () => {
  const post = await schedule({ caption: 'Bread '.repeat(60), restrict_publish_to: ['x'] });
  expect(codesOf(post)).toEqual(['x caption_max_length']);
  const mended = structuredClone(post);
  applyPatch(mended, post.at_risk?.[0]?.fix ?? []);
  const { status, body } = await platform.api<ScheduledPost>('PATCH', `${business}/posts/${post.id}`, {
    platform_overrides: mended.platform_overrides,
  });
  expect([status, body.at_risk]).toEqual([200, null]);
});

test('choosing a board in the settings of the account removes the risk of every scheduled post', async () => {
  const post = await schedule({ caption: 'Plum cake', media_ids: [await anImage(platform)], restrict_publish_to: ['pinterest'] });
  expect(codesOf(post)).toEqual(['pinterest options_required']);
  const path = `${business}/posts/${post.id}`;
  const tag = (await platform.api('GET', path)).headers.get('etag') ?? '';
  await platform.api('PATCH', `${business}/integrations/${platform.integrations['pinterest']}`, { settings: { board_id: '1' } });
  await eventually(async () => (await readPost(platform, post.id)).at_risk === null);
  expect((await platform.api('GET', path, undefined, { 'if-none-match': tag })).status).toBe(200);
  const { body } = await platform.api<{ items: ScheduledPost[] }>('GET', `${business}/posts?status=SCHEDULED`);
  expect(body.items.find(({ id }) => id === post.id)?.at_risk).toBeNull();
  const { items } = await platform.fanfare.platforms.list();
  expect(items.find(({ name }) => name === 'pinterest')?.needs_options).toEqual(['board_id']);
});
