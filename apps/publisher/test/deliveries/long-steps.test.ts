import { startPublisher, type TestPublisher } from '../running-publisher.ts';

const DEADLINE_SCALE = 0.2;
/** Ten seconds, scaled. */
const LEASE_MS = 10_000 * DEADLINE_SCALE;

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher({ instances: 2, env: { DEADLINE_SCALE: String(DEADLINE_SCALE), PLATFORM_TIMEOUT_MS: '30000' } });
});
afterAll(() => publisher.stop());

test('no other process starts a step that takes longer than a lease', async () => {
  const integration = await publisher.connect('facebook');
  const mediaIds = [await publisher.library.addImage(), await publisher.library.addImage()];
  await publisher.sandbox.fault('facebook.create_photo', { type: 'delay', ms: 2.5 * LEASE_MS });
  const [id = ''] = await publisher.publish({ integration, caption: 'It takes its time', mediaIds });
  expect(await publisher.outcome(id)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  for (const mediaId of mediaIds) expect(await publisher.sandbox.exchanges('facebook.create_photo', mediaId)).toHaveLength(1);
});
