import type { Integration } from '@fanfare/contracts/publisher';
import { platformVersionRejected } from '../../src/metrics.ts';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// The sandbox has no version after September 2026.
let publisher: TestPublisher;
let linkedin: Integration;

beforeAll(async () => {
  publisher = await startPublisher({ env: { LINKEDIN_VERSION: '202611' } });
  linkedin = await publisher.connect('linkedin');
});
afterAll(() => publisher.stop());

const rejectedVersions = async () =>
  (await platformVersionRejected.get()).values.flatMap(({ labels, value }) => (value === 1 ? [labels] : []));

test('a version that LinkedIn does not have does not prevent connecting, and is reported to operators', async () => {
  expect(linkedin.platform).toBe('linkedin');
  expect(await rejectedVersions()).toEqual([
    { platform: 'linkedin', version: '202611' },
    { platform: 'linkedin', version: '202610' },
  ]);
});

test('a post whose version ends is published once, with the version of the month before', async () => {
  const body = { status: 426, code: 'NONEXISTENT_VERSION', message: 'Requested version 20260901 is not active' };
  await publisher.sandbox.fault('linkedin.create_post', { type: 'status', status: 426, body });
  const caption = 'With the version of the month before';
  const [id = ''] = await publisher.publish({ integration: linkedin, caption });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  expect(await publisher.sandbox.posts(caption)).toHaveLength(1);
  const exchanges = await publisher.sandbox.exchanges('linkedin.create_post', caption);
  expect(exchanges.map(({ status }) => status)).toEqual([426, 201]);
  expect(await rejectedVersions()).toContainEqual({ platform: 'linkedin', version: '202609' });
});
