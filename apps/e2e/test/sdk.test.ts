import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import * as sdk from '@fanfare/sdk';
import { createFanfare, FanfareError, infoOf } from '@fanfare/sdk';
import { jpeg } from '../src/an-image.ts';
import { startPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ publisher: { TIME_SCALE: '0.1' } });
}, 120_000);
afterAll(() => platform.stop());

test('the example of the README runs, and ends with a published post', async () => {
  const readme = readFileSync(path.join(__dirname, '../../../libs/sdk/README.md'), 'utf8');
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? '';
  const lines: unknown[][] = [];
  const scope = {
    ...sdk,
    jpeg: Uint8Array.from(await jpeg()),
    process: { env: { FANFARE_URL: platform.baseUrl, FANFARE_API_KEY: platform.tenant.api_key } },
    console: { log: (...line: unknown[]) => lines.push(line) },
  };
  const code = stripTypeScriptTypes(example.replace(/^import .*$/gm, ''));
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(scope), code)(...Object.values(scope));

  expect(lines).toContainEqual([412, expect.stringMatching(/^req_/)]);
  const [results, remaining] = lines.at(-1) ?? [];
  expect((results as { status: string }[]).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
  expect(remaining).toBeGreaterThan(0);
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

test('a call with the key of another one gets its answer', async () => {
  const { fanfare, tenant } = platform;
  const create = (caption: string) => fanfare.posts.create(tenant.business_id, { caption }, { idempotencyKey: 'the-same' });
  const [first, second] = [await create('Once'), await create('Once')];
  expect(second.id).toBe(first.id);
  expect([first, second].map((answer) => infoOf(answer).isReplayed)).toEqual([false, true]);
  await expect(create('Something else')).rejects.toMatchObject({ status: 422, code: 'IDEMPOTENCY_KEY_CONFLICT' });
});

test('what the API refuses is told in full', async () => {
  const { fanfare, baseUrl, tenant } = platform;
  const error: unknown = await fanfare.posts
    .create(tenant.business_id, { caption: 5, publish_to: [] } as object)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FanfareError);
  expect((error as FanfareError).errors.map(({ param }) => param).sort()).toEqual(['caption', 'publish_to']);
  await expect(createFanfare({ baseUrl, apiKey: 'fk_test_wrong' }).health.get()).rejects.toMatchObject({ code: 'authentication_required' });
});

test('a service that comes back is waited for', async () => {
  const { fanfare, tenant } = platform;
  await platform.kill('content');
  const call = fanfare.posts.create(tenant.business_id, { caption: 'Patience' }, { maxRetries: 20 });
  await platform.start('content');
  const { id } = await call;
  expect((await fanfare.posts.list(tenant.business_id).toArray()).filter(({ caption }) => caption === 'Patience')).toMatchObject([{ id }]);
});
