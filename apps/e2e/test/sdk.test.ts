import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import * as sdk from '@fanfare/sdk';
import { createFanfare, FanfareError, infoOf } from '@fanfare/sdk';
import { eventually } from '@fanfare/testing';
import { jpeg } from '../src/an-image.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform();
});
afterAll(() => platform.stop());

/** Runs an example of a page as a program, and returns what it prints. */
async function runExample(page: 'README.md' | 'GUIDE.md', number = 0): Promise<unknown[][]> {
  const text = readFileSync(path.join(import.meta.dirname, '../../../libs/sdk', page), 'utf8');
  const example = [...text.matchAll(/```ts\n([\s\S]*?)```/g)][number]?.[1] ?? '';
  const lines: unknown[][] = [];
  const scope = {
    ...sdk,
    readFile: async () => Uint8Array.from(await jpeg()),
    process: { env: { FANFARE_URL: platform.baseUrl, FANFARE_API_KEY: platform.tenant.api_key } },
    console: { log: (...line: unknown[]) => lines.push(line) },
  };
  const code = stripTypeScriptTypes(example.replace(/^import .*$/gm, ''));
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope));
  return lines;
}

test('the example of the README publishes a post and waits until it is on every account', async () => {
  const results = await runExample('README.md');
  expect(results.map(([platformName, status]) => [platformName, status]).sort()).toEqual([
    ['facebook', 'success'],
    ['instagram', 'success'],
    ['x', 'success'],
  ]);
  for (const [, , shown] of results) expect(shown).toMatch(/^http/);
});

test('the example of the guide reads lists, edits once and is rejected the second time', async () => {
  const lines = await runExample('GUIDE.md');
  expect(lines).toContainEqual(['precondition_failed', 412, expect.stringMatching(/^req_/)]);
  expect(lines.at(-1)).toEqual(['Open until seven.', expect.any(Number)]);
});

test('the example of the guide reads the events, and has the cursor of the newest', async () => {
  const { fanfare, tenant } = platform;
  const { id } = await fanfare.posts.create(tenant.business_id, { caption: 'In the feed' });
  await eventually(async () => (await fanfare.events.list().toArray()).some(({ data }) => 'id' in data && data.id === id));
  const lines = await runExample('GUIDE.md', 1);
  expect(lines).toContainEqual([expect.any(Number), 'post.created']);
  expect(lines.at(-1)).toEqual(['continue after', expect.stringMatching(/^[1-9]\d*$/)]);
});

test('the example of the guide generates drafts, edits one and publishes it', async () => {
  const lines = await runExample('GUIDE.md', 3);
  expect(lines.at(-1)).toEqual(['PUBLISHED', expect.stringMatching(/sourdough[\s\S]*Open from seven\.$/)]);
});

test('a list is read to its end over many pages, newest first, each row once', async () => {
  const { fanfare, tenant } = platform;
  const made: string[] = [];
  for (let count = 0; count < 7; count += 1) made.push((await fanfare.topics.create(tenant.business_id, { title: `Topic ${count}` })).id);
  const pages = [];
  for await (const page of fanfare.topics.list(tenant.business_id, { limit: 3 }).pages()) pages.push(page.items.map(({ id }) => id));
  expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
  expect(pages.flat()).toEqual(made.toReversed());
});

test('a call with the idempotency key of an earlier one gets its response', async () => {
  const { fanfare, tenant } = platform;
  const create = (caption: string) => fanfare.posts.create(tenant.business_id, { caption }, { idempotencyKey: 'the-same' });
  const [first, second] = [await create('Once'), await create('Once')];
  expect(second.id).toBe(first.id);
  expect([first, second].map((response) => infoOf(response).isReplayed)).toEqual([false, true]);
  await expect(create('Something else')).rejects.toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
});

test('an error of the API is thrown with all its fields', async () => {
  const { fanfare, baseUrl, tenant } = platform;
  const error: unknown = await fanfare.posts
    .create(tenant.business_id, { caption: 5, publish_to: [] } as object)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FanfareError);
  expect((error as FanfareError).errors.map(({ param }) => param).sort()).toEqual(['caption', 'publish_to']);
  await expect(createFanfare({ baseUrl, apiKey: 'fk_test_wrong' }).health.get()).rejects.toMatchObject({ code: 'authentication_required' });
});

test('a call waits for a service that becomes available again', async () => {
  const { fanfare, tenant } = platform;
  await platform.kill('content');
  const call = fanfare.posts.create(tenant.business_id, { caption: 'Patience' }, { maxRetries: 20 });
  await platform.start('content');
  const { id } = await call;
  expect((await fanfare.posts.list(tenant.business_id).toArray()).filter(({ caption }) => caption === 'Patience')).toMatchObject([{ id }]);
});

// The last one: it moves the time of the organization.
test('the example of the guide advances the test clock by a week', async () => {
  const [[, now] = []] = await runExample('GUIDE.md', 4);
  expect(Date.parse(String(now))).toBeGreaterThan(Date.now() + 6 * 86_400_000);
});
