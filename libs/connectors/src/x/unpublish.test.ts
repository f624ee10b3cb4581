import { aCall } from '../../test/a-content.ts';
import { scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { unpublish } from './unpublish.ts';

const forbidden = {
  status: 403,
  json: { title: 'Forbidden', detail: 'Not yours', type: 'https://api.x.com/2/problems/not-authorized-for-resource', status: 403 },
};

test('a post that X still shows is not reported as deleted', async () => {
  const platform = await scriptedPlatform([forbidden, { json: { data: [{ id: '9', text: 'Hello' }] } }]);
  await expect(unpublish(aCall(platform.client.http('x')), '9')).rejects.toMatchObject({ class: 'permission', effect: 'rejected' });
  await platform.close();
});

test('a post is read only after a rejection: X charges for it', async () => {
  const platform = await scriptedPlatform([{ status: 401, json: { title: 'Unauthorized', type: 'about:blank', status: 401 } }]);
  await expect(unpublish(aCall(platform.client.http('x')), '9')).rejects.toMatchObject({ class: 'token_expired' });
  expect(platform.calls()).toEqual(['DELETE https://api.x.com/2/tweets/9']);
  await platform.close();
});
