import { newId } from '@fanfare/runtime';
import { callAs } from '@fanfare/testing';
import { startPublisher, type TestPublisher } from '../running-publisher.ts';

let publisher: TestPublisher;
beforeAll(async () => {
  publisher = await startPublisher();
});
afterAll(() => publisher.stop());
afterEach(() => publisher.sandbox.clearFaults());

const listChoices = async (platform: string, option: string, given: Record<string, string> = {}) => {
  const { id } = await publisher.connect(platform);
  return publisher.client.listChoices({ integrationId: id, option, given, pageToken: '' }, publisher.call);
};

test('the boards that an account can pin to, and the sections of one', async () => {
  const { choices, nextPageToken } = await listChoices('pinterest', 'board_id');
  expect(choices[0]).toEqual({ value: expect.stringMatching(/^\d+$/), label: expect.any(String) });
  expect(nextPageToken).toBe('');
  const sections = await listChoices('pinterest', 'board_section_id', { board_id: choices[0]?.value ?? '' });
  expect(sections.choices).toEqual(expect.any(Array));
});

test("the possible audiences of a creator's posts", async () => {
  expect((await listChoices('tiktok', 'privacy_level')).choices.map(({ value }) => value)).toContain('PUBLIC_TO_EVERYONE');
});

test("the categories of a channel's videos", async () => {
  const { choices } = await listChoices('youtube', 'category_id');
  expect(choices).toContainEqual({ value: '22', label: 'People & Blogs' });
  expect(choices.map(({ value }) => value)).not.toContain('21');
});

test('an expired token is refreshed first', async () => {
  await publisher.sandbox.fault('pinterest.list_boards', { type: 'status', status: 401 });
  expect((await listChoices('pinterest', 'board_id')).choices).not.toEqual([]);
});

test('options without choices are rejected', async () => {
  await expect(listChoices('x', 'board_id')).rejects.toMatchObject({ code: 'invalid_value', param: 'option' });
  await expect(listChoices('pinterest', '__proto__')).rejects.toMatchObject({ code: 'invalid_value', param: 'option' });
  await expect(listChoices('pinterest', 'board_section_id')).rejects.toMatchObject({ code: 'validation_failed', param: 'board_id' });
  await publisher.sandbox.fault('pinterest.list_boards', { type: 'status', status: 500 });
  await expect(listChoices('pinterest', 'board_id')).rejects.toMatchObject({ code: 'UPSTREAM_PROVIDER_ERROR' });
});

test("another business's account is not found", async () => {
  const { id } = await publisher.connect('pinterest');
  const stranger = callAs({ organizationId: newId(), businessId: newId() });
  const request = { integrationId: id, option: 'board_id', given: {}, pageToken: '' };
  await expect(publisher.client.listChoices(request, stranger)).rejects.toMatchObject({ code: 'resource_not_found' });
});
