import type { Integration } from '@fanfare/contracts/publisher';
import { newId } from '@fanfare/runtime';
import { eventually } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
let x: Integration;

beforeAll(async () => {
  publisher = await startPublisher({
    instances: 2,
    env: { MAX_IN_FLIGHT: '16', MAX_IN_FLIGHT_PER_ORGANIZATION: '8', TIME_SCALE: '1', DEADLINE_SCALE: '1' },
  });
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

test('two hundred deliveries of one organization do not delay those of another', async () => {
  const [big, facebook] = [newId(), await publisher.connect('facebook')];
  const accounts = [x];
  for (let index = 0; index < 9; index++) {
    accounts.push(await publisher.connectAs('x', await publisher.sandbox.createAccount('x', `big_${index}`)));
  }
  const account = (index: number) => accounts[index % accounts.length] ?? x;
  // The deliveries of the big organization that have started keep their slots.
  await publisher.sandbox.fault('x.create_post', { type: 'hold' }, null);
  const flood = await publisher.publish(
    ...Array.from({ length: 200 }, (_, index) => ({ integration: account(index), caption: `Flood ${index}`, organizationId: big })),
  );
  await eventually(async () => (await publisher.db.collection('deliveries').countDocuments({ organization_id: big })) === 200);
  const [small = ''] = await publisher.publish({ integration: facebook, caption: 'The small one', organizationId: newId() });
  expect(await publisher.outcome(small, 15_000)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS' });
  expect(flood.flatMap((id) => publisher.eventsOf(id)).filter(({ status }) => status === 'DELIVERY_STATUS_SUCCESS')).toEqual([]);

  await publisher.sandbox.clearFaults();
  for (const id of flood) expect(await publisher.outcome(id, 40_000)).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1 });
});
