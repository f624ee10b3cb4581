import { anApp } from '../../test/a-content.ts';
import { type ScriptedResponse, type ScriptedPlatform, scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { instagram } from './index.ts';

const pages = {
  json: { data: [1, 2].map((id) => ({ id: `p${id}`, name: `Page ${id}`, access_token: `page-token-${id}`, tasks: ['CREATE_CONTENT'] })) },
};
const linked = (id: string) => ({ json: { instagram_business_account: { id } } });

let platform: ScriptedPlatform;
const start = async (responses: readonly ScriptedResponse[]) => (platform = await scriptedPlatform(responses)).client.http('instagram');
afterEach(() => platform.close());

test('a code is exchanged for the professional accounts that are linked to the pages', async () => {
  const http = await start([
    { json: { access_token: 'short' } },
    { json: { access_token: 'long' } },
    { json: { data: { scopes: ['instagram_basic'] } } },
    pages,
    { json: { id: 'p1' } },
    linked('17'),
    { json: { username: 'acme', name: 'Acme', profile_picture_url: 'https://cdn.example.com/1.jpg' } },
  ]);
  expect(await instagram.oauth.exchangeCode(http, anApp, { code: 'c', redirectUri: 'https://app.example.com/cb' })).toEqual([
    {
      accountId: '17',
      username: 'acme',
      displayName: 'Acme',
      page: 'Page 2',
      pictureUrl: 'https://cdn.example.com/1.jpg',
      tokens: { accessToken: 'page-token-2', refreshToken: 'long', scopes: ['instagram_basic'] },
    },
  ]);
  expect(platform.received.slice(4).map(({ url, query, headers }) => [url.split('/').at(-1), query.fields, headers.authorization])).toEqual(
    [
      ['p1', 'instagram_business_account', 'Bearer page-token-1'],
      ['p2', 'instagram_business_account', 'Bearer page-token-2'],
      ['17', 'username,name,profile_picture_url', 'Bearer page-token-2'],
    ],
  );
});

test('a refresh finds the page of the account again', async () => {
  const http = await start([{ json: { access_token: 'longer' } }, pages, linked('16'), linked('17')]);
  const account = { accountId: '17', tokens: { accessToken: 'old', refreshToken: 'long', scopes: ['s'] } };
  expect(await instagram.oauth.refresh(http, anApp, account)).toEqual({
    accessToken: 'page-token-2',
    refreshToken: 'longer',
    scopes: ['s'],
  });
});
