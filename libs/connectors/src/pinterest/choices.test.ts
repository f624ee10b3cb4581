import { aCall } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { choices } from './choices.ts';

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform(responses);
  return aCall(platform.client.http('pinterest'));
};
afterEach(() => platform.close());

test('boards are listed page by page', async () => {
  const call = await start([
    { json: { items: [{ id: '77', name: 'Recipes' }], bookmark: 'b2' } },
    { json: { items: [{ id: '78', name: 'Tables' }], bookmark: null } },
  ]);
  expect(await choices.board_id(call, { given: {} })).toEqual({ items: [{ value: '77', label: 'Recipes' }], next: 'b2' });
  expect(await choices.board_id(call, { given: {}, cursor: 'b2' })).toEqual({ items: [{ value: '78', label: 'Tables' }] });
  expect(platform.received).toMatchObject([
    { url: 'https://api.pinterest.com/v5/boards', query: { page_size: '250' } },
    { url: 'https://api.pinterest.com/v5/boards', query: { page_size: '250', bookmark: 'b2' } },
  ]);
});

test('sections are those of the chosen board', async () => {
  const call = await start([{ json: { items: [{ id: '1', name: 'Soups' }], bookmark: null } }]);
  expect(await choices.board_section_id(call, { given: { board_id: '77' } })).toEqual({ items: [{ value: '1', label: 'Soups' }] });
  expect(platform.calls()).toEqual(['GET https://api.pinterest.com/v5/boards/77/sections']);
  await expect(choices.board_section_id(call, { given: {} })).rejects.toMatchObject({
    class: 'validation',
    effect: 'not_sent',
    message: expect.stringContaining('?board_id=') as string,
  });
});

test('a response without a list is an error, not an empty list', async () => {
  await expect(choices.board_id(await start([{ json: {} }]), { given: {} })).rejects.toMatchObject({ class: 'transient' });
});
