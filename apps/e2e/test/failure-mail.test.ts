import { eventually } from '@fanfare/testing';
import { borrowPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform(['facebook', 'x']);
});
afterAll(() => platform.stop());

test('a scheduled post that fails on every platform is mailed to the owners of its organization, and to no other', async () => {
  const { sandbox, tenant, foreign } = platform;
  const addressOf = async (of: typeof tenant) => {
    const { api } = await platform.signIn(of, 'owner');
    return (await api<{ email: string }>('GET', '/api/me')).body.email;
  };
  const [owner, stranger] = [await addressOf(tenant), await addressOf(foreign)];
  const rejection = (body: object) => ({ type: 'status', status: 400, body });
  const invalid = { message: 'Invalid parameter', type: 'OAuthException', code: 100 };
  await sandbox.fault('facebook.create_feed_post', rejection({ error: invalid }), null);
  await sandbox.fault('x.create_post', rejection({ title: 'Invalid Request', detail: 'One or more parameters are invalid.' }), null);

  const { body: post } = await platform.api<{ id: string }>('POST', `/api/businesses/${tenant.business_id}/posts`, {
    caption: 'Bread at https://bread.example',
    status: 'SCHEDULED',
    scheduled_publish_time: new Date(Date.now() + 5_000).toISOString(),
  });
  const mail = await eventually(async () => (await sandbox.mails(owner)).find(({ subject }) => subject.startsWith('1 post failed in ')));
  expect(mail.text).toContain('“Bread at [link]” in Test Café');
  for (const name of ['Facebook', 'X']) expect(mail.text).toMatch(new RegExp(`^  ${name}, .+: the platform does not accept the post`, 'm'));
  const path = `/businesses/${tenant.business_id}/posts/${post.id}`;
  expect(mail.text).toContain(`${platform.baseUrl}${path}`);
  expect(mail.html).toContain(`href="${platform.baseUrl}${path}"`);
  expect(await (await fetch(`${platform.baseUrl}/_dev/mail`)).text()).toContain(mail.subject);
  expect(await sandbox.mails(stranger)).toEqual([]);
});
