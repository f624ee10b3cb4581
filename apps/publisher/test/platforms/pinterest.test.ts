import type { Integration } from '@fanfare/contracts/publisher';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

// Pinterest may or may not accept several images in one pin. If it certainly rejected them, the first image is pinned alone; never if it may have
// accepted them.
let publisher: TestPublisher;
let pinterest: Integration;
let board: string;

beforeAll(async () => {
  publisher = await startPublisher();
  pinterest = await publisher.connect('pinterest');
  const wanted = { integrationId: pinterest.id, option: 'board_id', given: {}, pageToken: '' };
  board = (await publisher.client.listChoices(wanted, publisher.call)).choices[0]?.value ?? '';
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const createPin = 'pinterest.create_pin';
const rejection = { type: 'status', status: 400, body: { code: 1, message: "Invalid request: 'multiple_image_urls' was unexpected" } };
const warning =
  /^Pinterest did not accept several images in one pin\. It shows only the first\. \(.*'multiple_image_urls' was unexpected\)$/;

async function sendTwo(caption: string) {
  const mediaIds = [await publisher.library.addImage('One'), await publisher.library.addImage('Two')];
  const [id = ''] = await publisher.publish({ integration: pinterest, caption, mediaIds, options: { board_id: board } });
  return publisher.outcome(id);
}

test('several rejected images become a pin of the first one, with a warning', async () => {
  await publisher.sandbox.fault(createPin, rejection);
  const event = await sendTwo('Rejected together');
  const posts = await publisher.sandbox.posts('Rejected together');
  expect(posts).toMatchObject([{ kind: 'photo', media: [{ alt_text: 'One' }] }]);
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 2, publishId: posts[0]?.id, errorType: undefined });
  expect(event.warnings).toEqual([expect.stringMatching(warning)]);
});

test('a lost response is not a rejection: the pin with all images is found, and nothing is sent again', async () => {
  await publisher.sandbox.fault(createPin, { type: 'accept_then_drop' });
  expect(await sendTwo('Lost together')).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, warnings: [] });
  expect(await publisher.sandbox.posts('Lost together')).toMatchObject([{ kind: 'carousel', media: [{}, {}] }]);
  expect(await publisher.sandbox.exchanges(createPin, 'Lost together')).toHaveLength(1);
});

test('an HTML page of a proxy with status 400 is not a rejection either', async () => {
  await publisher.sandbox.fault(createPin, { type: 'html', status: 400, apply: 'after' });
  expect(await sendTwo('Behind a proxy')).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 1, warnings: [] });
  expect(await publisher.sandbox.posts('Behind a proxy')).toMatchObject([{ kind: 'carousel' }]);
});

test('the warning also appears if the response to the pin of the first image is lost', async () => {
  await publisher.sandbox.fault(createPin, rejection);
  await publisher.sandbox.fault(createPin, { type: 'accept_then_drop' });
  const event = await sendTwo('Rejected, then lost');
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_SUCCESS', attempts: 2 });
  expect(event.warnings).toEqual([expect.stringMatching(warning)]);
  expect(await publisher.sandbox.posts('Rejected, then lost')).toMatchObject([{ kind: 'photo' }]);
});

test('a post that is rejected with one image too fails with the message of Pinterest', async () => {
  await publisher.sandbox.fault(createPin, rejection, 2);
  const event = await sendTwo('Rejected in any way');
  expect(event).toMatchObject({ status: 'DELIVERY_STATUS_FAILED', errorType: 'validation_failed', attempts: 2, warnings: [] });
  expect(event.errorMessage).toContain("'multiple_image_urls' was unexpected");
  expect(await publisher.sandbox.posts('Rejected in any way')).toEqual([]);
});
