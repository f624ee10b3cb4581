import { aCall } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { choices } from './choices.ts';

let platform: ScriptedPlatform;
const list = async (responses: readonly ScriptedResponse[]) => {
  platform = await scriptedPlatform(responses);
  return choices.category_id(aCall(platform.client.http('youtube')), { given: {} });
};
const category = (id: string, title: string, assignable = true) => ({ id, snippet: { title, assignable } });
afterEach(() => platform.close());

test("the categories of the channel's country are listed, without those that accept no videos", async () => {
  const channel = { json: { items: [{ id: 'UC1', snippet: { title: 'Acme', country: 'DE' } }] } };
  const categories = { json: { items: [category('22', 'People & Blogs'), category('21', 'Videoblogging', false)] } };
  expect(await list([channel, categories])).toEqual({ items: [{ value: '22', label: 'People & Blogs' }] });
  expect(platform.received).toMatchObject([
    { url: 'https://www.googleapis.com/youtube/v3/channels', query: { part: 'snippet', mine: 'true' } },
    { url: 'https://www.googleapis.com/youtube/v3/videoCategories', query: { part: 'snippet', regionCode: 'DE' } },
  ]);
});

test('a channel without a country has the categories of the United States', async () => {
  await list([{ json: { items: [{ id: 'UC1', snippet: { title: 'Acme' } }] } }, { json: { items: [category('22', 'People & Blogs')] } }]);
  expect(platform.received[1]?.query).toEqual({ part: 'snippet', regionCode: 'US' });
});

test('a response without a list is an error, not an empty list', async () => {
  await expect(list([{ json: { items: [] } }, { json: {} }])).rejects.toMatchObject({ class: 'transient' });
});
