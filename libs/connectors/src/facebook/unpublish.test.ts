import { aCall } from '../../test/a-content.ts';
import { scriptedPlatform } from '../../test/scripted-platform/scripted-platform.ts';
import { unpublish } from './unpublish.ts';

test('a post that the page still has is not reported as deleted', async () => {
  const error = { message: 'Unsupported delete request.', type: 'GraphMethodException', code: 100, error_subcode: 33 };
  const platform = await scriptedPlatform([{ status: 400, json: { error } }, { json: { id: '100_9' } }]);
  await expect(unpublish(aCall(platform.client.http('facebook')), '100_9')).rejects.toMatchObject({
    class: 'validation',
    effect: 'rejected',
  });
  expect(platform.calls()).toEqual(['DELETE https://graph.facebook.com/v25.0/100_9', 'GET https://graph.facebook.com/v25.0/100_9']);
  await platform.close();
});
