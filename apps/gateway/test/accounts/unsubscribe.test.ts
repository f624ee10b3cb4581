import { aPerson, type Person } from '../people.ts';
import { BASE_URL, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  // Mail programs do not use the web app: the page exists with one too.
  gateway = await startGateway({ CONSOLE_URL: 'https://app.example.com' });
});
afterAll(() => gateway.stop());

const ON = { post_failed: true, account_expired: true };
const OFF = { post_failed: false, account_expired: false };
const settingsOf = async (person: Person) =>
  ((await (await person.call('GET', '/api/me')).json()) as { notifications: object }).notifications;
const linkFor = ({ id }: Person) =>
  `/unsubscribe?${new URLSearchParams({ token: gateway.context.identity.unsubscribeTokens.of(id) }).toString()}`;

async function open(path: string, init: RequestInit = {}) {
  const response = await gateway.call(path, { key: null, redirect: 'manual', headers: { accept: 'text/html,*/*;q=0.8' }, ...init });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

it('turns off the mails of one user when its form is sent, and not when it is opened', async () => {
  const [person, other] = [await aPerson(gateway), await aPerson(gateway)];
  const link = linkFor(person);
  await open(link, { method: 'HEAD' });
  const page = await open(link);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining(person.email)]);
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self'");
  expect(await settingsOf(person)).toEqual(ON);

  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(page.text) ?? [];
  const to = new URL(action, BASE_URL + link);
  const done = await open(to.pathname + to.search, { method: 'POST', body: new URLSearchParams() });
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('These emails are stopped')]);
  expect(await settingsOf(person)).toEqual(OFF);
  expect(await settingsOf(other)).toEqual(ON);

  const again = await open(link);
  expect([again.status, again.text]).toEqual([200, expect.stringContaining('These emails are stopped')]);
  expect((await person.call('PATCH', '/api/me', { notifications: ON })).status).toBe(200);
  expect((await open(link)).text).toContain('<form');
});

it.each([
  ['a form', () => new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })],
  [
    'a form in parts',
    () => {
      const form = new FormData();
      form.set('List-Unsubscribe', 'One-Click');
      return form;
    },
  ],
])('turns them off for a mail program, which sends %s to the URL by itself and follows no redirect', async (_what, body) => {
  const person = await aPerson(gateway);
  expect((await open(linkFor(person), { method: 'POST', body: body(), headers: {} })).status).toBe(200);
  expect(await settingsOf(person)).toEqual(OFF);
});

it('does nothing for a token that is incomplete, of another purpose, or of an unknown user', async () => {
  const person = await aPerson(gateway);
  const { unsubscribeTokens, invitationTokens } = gateway.context.identity;
  const wrong = [
    unsubscribeTokens.of(person.id).slice(0, -1),
    invitationTokens.of(person.id),
    unsubscribeTokens.of(gateway.businessId),
    '',
  ];
  for (const token of wrong) {
    for (const method of ['GET', 'POST']) {
      const page = await open(`/unsubscribe?${new URLSearchParams({ token }).toString()}`, { method });
      expect([page.status, page.text]).toEqual([400, expect.stringContaining('This link is not valid')]);
    }
  }
  expect(await settingsOf(person)).toEqual(ON);
});
