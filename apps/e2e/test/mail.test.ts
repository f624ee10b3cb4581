// From a request to an inbox: mail is sent by real SMTP to the sandbox, which shows it where developers read it.
import { eventually } from '@fanfare/testing';
import { borrowPlatform, type Platform } from '../src/platform.ts';

let platform: Platform;
beforeAll(async () => {
  platform = await borrowPlatform([]);
});
afterAll(() => platform.stop());

const post = (path: string, body: object) => platform.api('POST', path, body, { authorization: '' });
const inbox = (to: string, subject: string) =>
  eventually(async () => (await platform.sandbox.mails(to)).find((mail) => mail.subject === subject));
const tokenIn = (text: string) => new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '').searchParams.get('token');

it('contains the link that confirms an address', async () => {
  const [email, password] = ['ann@example.com', 'a long enough sentence 17'];
  const signedUp = await post('/api/auth/sign-up', { email, name: 'Ann <b>', organization_name: 'Bakers' });
  expect(signedUp.status).toBeLessThan(300);
  const mail = await inbox(email, 'Confirm your email address');
  expect(mail.html).toContain('Hello Ann &lt;b&gt;,');
  expect((await post('/api/auth/email/verify', { token: tokenIn(mail.text), password })).status).toBe(200);
  expect((await post('/api/auth/sign-in', { email, password })).status).toBe(200);

  const lead = await fetch(`${platform.baseUrl}/_dev/mail`);
  expect(await lead.text()).toContain('Confirm your email address');
});

it('is sent later, once, if the mail server is unavailable', async () => {
  const signUp = async (email: string) => {
    const response = await post('/api/auth/sign-up', { email, name: 'Bob', organization_name: 'Millers' });
    expect(response.status).toBeLessThan(300);
  };
  const [email, next] = ['bob@example.com', 'carla@example.com'];
  await platform.terminate('sandbox');
  await signUp(email);
  await platform.start('sandbox');
  await inbox(email, 'Confirm your email address');
  // Other queued mail comes after it; a second copy would have come before.
  await signUp(next);
  await inbox(next, 'Confirm your email address');
  expect(await platform.sandbox.mails(email)).toHaveLength(1);
});
