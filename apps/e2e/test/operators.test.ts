// What operators do on the command line to deliveries that need them.
import { runAdmin } from '../src/run-admin.ts';
import { borrowPlatform, type Platform } from '../src/platform.ts';
import { outcomes, publish, readPost, untilTerminal } from '../src/publish.ts';
import { eventually } from '@fanfare/testing';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform(['x']);
});
afterAll(() => platform.stop());

interface Shown {
  readonly id: string;
  readonly status: string;
  readonly post_id: string;
}

/** @returns the printed result; of a command that failed, its error */
async function admin<T>(...args: string[]): Promise<T> {
  const { code, out, err } = await runAdmin(platform, ...args);
  expect({ args, code, err: out === '' ? '' : err }).toMatchObject({ code: out === '' ? 1 : 0, err: '' });
  return JSON.parse(out === '' ? err : out) as T;
}
const list = (...filter: string[]) => admin<{ deliveries: Shown[]; next_page_token: string }>('deliveries', 'list', ...filter);
const retry = (id: string, ...more: string[]) =>
  admin<Record<string, unknown>>('deliveries', 'retry', id, '--reason', 'A customer asks', ...more);

test('a failed delivery is listed, and its post is published again, once for however many commands', async () => {
  await platform.sandbox.fault('x.create_post', { type: 'status', status: 402 });
  const id = await publish(platform, { caption: 'Published by the operator' });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x failed permission_denied']);

  const { deliveries } = await list('--organization', platform.tenant.organization_id, '--state', 'failed', '--limit', '5');
  expect(deliveries).toMatchObject([{ status: 'failed', post_id: id }]);
  const [failed = { id: '' }] = deliveries;
  expect(await retry(failed.id)).toMatchObject({ result: 'published_again' });
  await eventually(async () => (await readPost(platform, id)).status === 'PUBLISHED');
  expect(await retry(failed.id)).toMatchObject({ result: 'published_again' });
  expect(await platform.sandbox.posts('Published by the operator')).toHaveLength(1);
});

test('an unknown outcome is published again only after a person has confirmed that the platform does not have the post', async () => {
  // The response is lost, and X does not list its posts.
  await platform.sandbox.fault('x.create_post', { type: 'drop' });
  await platform.sandbox.fault('x.list_user_posts', { type: 'status', status: 403 }, null);
  const id = await publish(platform, { caption: 'Confirmed by a person' });
  expect(outcomes(await untilTerminal(platform, id))).toEqual(['x failed unknown_outcome']);
  const { deliveries } = await list('--organization', platform.tenant.organization_id, '--state', 'unknown_outcome');
  expect(deliveries).toMatchObject([{ post_id: id }]);
  const [unknown = { id: '' }] = deliveries;
  expect(await retry(unknown.id)).toMatchObject({ error: { code: 'conflict', param: 'confirm_not_published' } });
  expect(await retry(unknown.id, '--confirm-not-published')).toMatchObject({ result: 'published_again' });
  await eventually(async () => (await readPost(platform, id)).status === 'PUBLISHED');
  expect(await platform.sandbox.posts('Confirmed by a person')).toHaveLength(1);
});

test('names invalid filters', async () => {
  expect(await list('--state', 'stuck')).toMatchObject({ error: { code: 'invalid_value', param: 'state' } });
  for (const lists of ['deliveries', 'dead-letters']) {
    expect(await admin(lists, 'list', '--page-token', 'x')).toMatchObject({ error: { code: 'invalid_request', param: 'page_token' } });
    const { code, err } = await runAdmin(platform, lists, 'list', '--limit', '0');
    expect([code, err]).toEqual([2, expect.stringContaining('from 1 to 100')]);
  }
});
