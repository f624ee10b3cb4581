// From a request to somebody's inbox: mail goes out by real SMTP to the sandbox, which shows it where developers look for it.
import { eventually } from '@fanfare/testing';
import { startPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform({ gateway: { SIGN_UP: 'open' } });
});
afterAll(() => platform.stop());

const post = (path: string, body: object) => platform.api('POST', path, body, { authorization: '' });
const inbox = (to: string, subject: string) =>
  eventually(async () => (await platform.sandbox.mails(to)).find((mail) => mail.subject === subject));
const tokenIn = (text: string) => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '').searchParams.get('token');

it('brings the link that confirms an address', async () => {
  const [email, password] = ['ann@example.com', 'a long enough sentence 17'];
  const signedUp = await post('/api/auth/sign-up', { email, name: 'Ann <b>', password, organization_name: 'Bakers' });
  expect(signedUp.status).toBeLessThan(300);
  const mail = await inbox(email, 'Confirm your e-mail address');
  expect(mail.html).toContain('Hello Ann &lt;b&gt;,');
  expect((await post('/api/auth/email/verify', { token: tokenIn(mail.text) })).status).toBe(200);
  expect((await post('/api/auth/sign-in', { email, password })).status).toBe(200);

  const lead = await fetch(`${platform.baseUrl}/_dev/mail`);
  expect(await lead.text()).toContain('Confirm your e-mail address');
});

it('comes later when the mail server is away, once', async () => {
  const [email, password] = ['bob@example.com', 'a long enough sentence 17'];
  await platform.terminate('sandbox');
  expect((await post('/api/auth/sign-up', { email, name: 'Bob', password, organization_name: 'Millers' })).status).toBeLessThan(300);
  await platform.start('sandbox');
  await inbox(email, 'Confirm your e-mail address');
  // What else is queued comes after it; a second copy would have come before.
  await post('/api/auth/password/forgot', { email });
  await inbox(email, 'Choose a new password');
  const subjects = (await platform.sandbox.mails(email)).map(({ subject }) => subject);
  expect(subjects).toEqual(['Choose a new password', 'Confirm your e-mail address']);
});
