import { anonymously, anOrganization, aPerson, elsewhere, mailsTo, PASSWORD, signIn } from '../people.ts';
import { BASE_URL, startGateway, type RunningGateway } from '../running-gateway.ts';

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ SIGN_UP: 'open', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => gateway.stop());

const HTML = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const CHOSEN = 'four crusty loaves';

/** Opens a path as a browser does. */
async function open(path: string) {
  const response = await gateway.call(path, { key: null, headers: { ...HTML, ...elsewhere() } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends the form of a page, and follows the redirect. */
async function submit(page: string, text: string, typed: Record<string, string>) {
  const [, action = ''] = /<form method="post" action="([^"]+)">/.exec(text) ?? [];
  const hidden = [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  const to = new URL(action, BASE_URL + page);
  expect(to.search).toBe('');
  const body = new URLSearchParams([...hidden, ...Object.entries(typed)] as [string, string][]);
  const response = await gateway.call(to.pathname, {
    method: 'POST',
    key: null,
    redirect: 'manual',
    body,
    headers: { ...HTML, ...elsewhere() },
  });
  const location = response.headers.get('location');
  if (location === null) return { status: response.status, text: await response.text() };
  expect(response.status).toBe(303);
  const next = new URL(location, to);
  return open(next.pathname + next.search);
}

/** The path of the link in the last mail to an address. */
async function linkTo(email: string): Promise<string> {
  const { text = '' } = (await mailsTo(gateway, email)).at(-1) ?? {};
  return /https:\/\/api\.example\.com(\/\S+)/.exec(text)?.[1] ?? '';
}

const post = async (path: string, body: unknown) => (await anonymously(gateway, path, body, elsewhere())).status;
const invite = async (email: string) => {
  const { owner, organizationId } = await anOrganization(gateway);
  await owner.call('POST', '/api/invitations', { email, role: 'editor' });
  const memberships = async () => (await (await owner.call('GET', '/api/members')).json()) as { items: { email: string; role: string }[] };
  return { organizationId, link: await linkTo(email), memberships };
};

describe('the page of a mail to confirm an address', () => {
  const signUp = async (email: string) => {
    expect(await post('/api/auth/sign-up', { email, name: 'Ada <b>Baker</b>', organization_name: 'Corner Bakery' })).toBe(202);
    return linkTo(email);
  };

  it('requires a password, and creates the account, which can sign in with it', async () => {
    const link = await signUp('ada@example.com');
    await open(link); // Opening it, as mail filters do, does not use it up.
    const page = await open(link);
    expect(page.status).toBe(200);
    for (const part of ['Confirm your email address · Fanfare', 'Ada &lt;b&gt;Baker', 'ada@example.com', 'Corner Bakery'])
      expect(page.text).toContain(part);

    const weak = await submit(link, page.text, { password: 'password123' });
    expect([weak.status, weak.text]).toEqual([400, expect.stringContaining('This password is too common')]);
    const short = await submit(link, weak.text, { password: 'short' });
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('Password must have at least 10 characters.')]);
    expect(short.text).not.toContain('value="short"');

    const done = await submit(link, short.text, { password: CHOSEN });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your account is ready')]);
    expect(done.text).toContain(`${BASE_URL}/api/auth/sign-in`);
    expect((await signIn(gateway, 'ada@example.com', CHOSEN)).user.email).toBe('ada@example.com');

    const again = await open(link);
    expect([again.status, again.text]).toEqual([400, expect.stringContaining('This link is no longer valid')]);
    expect(again.text).toContain('href="verify-email-again"');
  });

  it('shows no address without a valid token, and runs no scripts', async () => {
    const { headers, text } = await open(await signUp('bea@example.com'));
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'.*form-action 'self'/);
    expect(text).not.toMatch(/<script|<img|unsafe-inline|https?:\/\/(?!api\.example\.com)/);
  });

  it('sends the mail again', async () => {
    await signUp('cem@example.com');
    const page = await open('/verify-email-again');
    const done = await submit('/verify-email-again', page.text, { email: 'Cem@Example.com' });
    expect(done.text).toContain('Check your email');
    expect(await mailsTo(gateway, 'cem@example.com')).toHaveLength(2);
    expect((await open(await linkTo('cem@example.com'))).status).toBe(200);
  });
});

describe('the page of a mail to choose a new password', () => {
  it('changes the password once', async () => {
    const { email } = await aPerson(gateway);
    const forgot = await open('/forgot-password');
    expect((await submit('/forgot-password', forgot.text, { email })).text).toContain('Check your email');
    const link = await linkTo(email);
    const page = await open(link);
    expect(page.text).toContain(email);
    const done = await submit(link, page.text, { password: CHOSEN });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('Your password has been changed')]);
    await signIn(gateway, email, CHOSEN);
    expect(await post('/api/auth/sign-in', { email, password: PASSWORD })).toBe(401);
    const late = await submit(link, page.text, { password: PASSWORD });
    expect([late.status, late.text]).toEqual([400, expect.stringContaining('href="forgot-password"')]);
  });

  it('is the same for an address without an account', async () => {
    const done = await submit('/forgot-password', (await open('/forgot-password')).text, { email: 'nobody@example.com' });
    expect(done.text).toContain('Check your email');
    expect(await mailsTo(gateway, 'nobody@example.com')).toEqual([]);
  });

  it('reports an invalid address, and shows it again in the form', async () => {
    const again = await submit('/forgot-password', (await open('/forgot-password')).text, { email: 'nobody' });
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('Email must be an email address.')]);
    expect(again.text).toContain('value="nobody"');
  });
});

describe('the page of an invitation', () => {
  it('creates an account and a membership for a new person', async () => {
    const { link, memberships } = await invite('dora@example.com');
    const page = await open(link);
    for (const part of ['Mill', 'editor', 'dora@example.com', 'name="name"']) expect(page.text).toContain(part);
    const nameless = await submit(link, page.text, { name: ' ', password: CHOSEN });
    expect([nameless.status, nameless.text]).toEqual([422, expect.stringContaining('role="alert">Name ')]);
    const done = await submit(link, page.text, { name: 'Dora', password: CHOSEN });
    expect([done.status, done.text]).toEqual([200, expect.stringContaining('You are now a member')]);
    await signIn(gateway, 'dora@example.com', CHOSEN);
    expect((await memberships()).items).toContainEqual(expect.objectContaining({ email: 'dora@example.com', role: 'editor' }));
    expect((await open(link)).text).toContain('This invitation is no longer valid');
  });

  it('requires the password of a person with an account, and leaves no session open, as the audit log says', async () => {
    const person = await aPerson(gateway);
    const { organizationId, link, memberships } = await invite(person.email);
    const page = await open(link);
    expect(page.text).not.toContain('name="name"');
    const wrong = await submit(link, page.text, { password: 'not it at all' });
    expect([wrong.status, wrong.text]).toEqual([401, expect.stringContaining('password is wrong')]);
    const done = await submit(link, wrong.text, { password: PASSWORD });
    expect(done.text).toContain('You are now a member');
    expect((await memberships()).items.map(({ email }) => email)).toContain(person.email);
    const sessions = (await (await person.call('GET', '/api/auth/sessions')).json()) as { items: unknown[] };
    expect(sessions.items).toHaveLength(1);
    const ended = await gateway.context.db
      .collection('audit_entries')
      .find({ actor: `user:${person.id}`, action: 'session.signed_out' })
      .toArray();
    expect(ended.map((entry) => entry.organization_id as string).sort()).toEqual([gateway.organizationId, organizationId].sort());
    expect(new Set(ended.map((entry) => entry.target_id as string)).size).toBe(1);
  });
});

test.each(['/verify-email', '/reset-password?token=made-up', '/invitations/7?token=made-up'])(
  'a link without a valid token shows what to do next: %s',
  async (path) => {
    const page = await open(path);
    expect(page.status).toBe(400);
    expect(page.text).toMatch(/no longer/);
  },
);

test('after too many attempts the page says how long to wait', async () => {
  const from = elsewhere();
  const send = () =>
    gateway.call('/forgot-password', {
      method: 'POST',
      key: null,
      body: new URLSearchParams({ email: 'eve@example.com' }),
      headers: { ...HTML, ...from },
    });
  let last = await send();
  for (let tries = 0; last.status !== 429 && tries < 10; tries += 1) last = await send();
  expect(await last.text()).toContain('Too many attempts. Wait a minute');
});

test('with a web app, its pages are the targets of links', async () => {
  const elsewhereServed = await startGateway({ CONSOLE_URL: 'https://app.example.com' });
  const response = await elsewhereServed.call('/verify-email?token=x', { key: null, headers: HTML });
  await elsewhereServed.stop();
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('Page not found')]);
});
