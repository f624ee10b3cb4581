import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { startPublisher, type TestPublisher } from './running-publisher.ts';

let publisher: TestPublisher;
let x: Integration;

beforeAll(async () => {
  publisher = await startPublisher({ instances: 2, env: { MAX_IN_FLIGHT_PER_ORGANIZATION: '8', TIME_SCALE: '0.2' } });
  x = await publisher.connect('x');
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

test('fifty deliveries are each sent exactly once by two instances on one database', async () => {
  const captions = Array.from({ length: 50 }, (_, index) => `One of fifty: ${index}`);
  const ids = await publisher.publish(...captions.map((caption) => ({ integration: x, caption })));
  for (const id of ids) expect(await publisher.outcome(id, 40_000)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
  const posted = (await publisher.sandbox.posts()).map(({ text }) => text).filter((text) => text.startsWith('One of fifty'));
  expect(posted.sort()).toEqual([...captions].sort());
  expect(await publisher.sandbox.exchanges('x.create_post', 'One of fifty')).toHaveLength(50);
});

test("two hundred deliveries of one organization do not delay another one's beyond its turn", async () => {
  const big = newId();
  const accounts = [x];
  for (let index = 0; index < 9; index++) {
    accounts.push(await publisher.connectAs('x', await publisher.sandbox.createAccount('x', `big_${index}`)));
  }
  const account = (index: number) => accounts[index % accounts.length] ?? x;
  const other = await publisher.connectAs('x', await publisher.sandbox.createAccount('x', 'small'));
  await publisher.sandbox.fault('x.create_post', { type: 'delay', ms: 200 }, null);
  const flood = await publisher.publish(
    ...Array.from({ length: 200 }, (_, index) => ({ integration: account(index), caption: `Flood ${index}`, organizationId: big })),
  );
  const [small = ''] = await publisher.publish({ integration: other, caption: 'The small one', organizationId: newId() });
  expect(await publisher.outcome(small)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  // What two instances had under way when its turn came; not the two hundred before it.
  const ended = flood.filter((id) => publisher.newsOf(id).some(({ status }) => status === 'DELIVERY_STATUS_SUCCESS'));
  expect(ended.length).toBeLessThan(100);
  await publisher.sandbox.clearFaults();
  for (const id of flood) expect(await publisher.outcome(id, 40_000)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});
