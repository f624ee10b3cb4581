import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { eventually } from '@fanfare/testing';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { queueMail } from '../../src/accounts/mail/queue-mail.ts';
import { mailRows, type MailDocument } from '../../src/accounts/store/mails.ts';
import { startGateway, type RunningGateway } from '../running-gateway.ts';

/** A fake mail server. The local part of an address decides whether it is rejected, and how often. */
async function startMailServer() {
  const received: Email[] = [];
  const attempts = new Map<string, number>();
  const reject = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode });
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    closeTimeout: 100,
    onAuth: (_auth, _session, done) => done(reject('Wrong password', 535)),
    onRcptTo({ address }, _session, done) {
      const attempt = (attempts.get(address) ?? 0) + 1;
      attempts.set(address, attempt);
      if (address.startsWith('unknown')) return done(reject('No such user', 550));
      if (address.startsWith('busy') && attempt === 1) return done(reject('Try again later', 451));
      done();
    },
    onData(stream, _session, done) {
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then((mail) => received.push(mail))
        .then(
          () => done(),
          (error: unknown) => done(error as Error),
        );
    },
  });
  const listening = await new Promise<ReturnType<typeof server.listen>>((resolve) => {
    const net = server.listen(0, '127.0.0.1', () => resolve(net));
  });
  return {
    received,
    attempts,
    url: (user = '', host = '127.0.0.1') => `smtp://${user}${host}:${(listening.address() as AddressInfo).port}`,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

let server: Awaited<ReturnType<typeof startMailServer>>;
let gateway: RunningGateway;
beforeAll(async () => {
  server = await startMailServer();
  gateway = await startGateway({
    SMTP_URL: server.url(),
    MAIL_FROM: 'Fanfare <no-reply@fanfare.test>',
    CONSOLE_URL: 'https://app.example.com',
    DEV_MAIL_URL: 'http://127.0.0.1:1/_dev/mail',
  });
});
afterAll(async () => {
  await gateway.stop();
  await server.stop();
});

const mails = (of = gateway) => of.context.db.collection<MailDocument>('mails');
const ended = (id: string) => eventually(async () => (await mails().findOne({ _id: id, state: { $ne: 'queued' } })) ?? undefined);
const invite = (id: string, to: string, more: Partial<{ organization: string; inviter: string }> = {}, of = gateway) =>
  queueMail(of.context, {
    id,
    to,
    template: 'invitation',
    data: { organization: 'Bakers', inviter: 'Ann', role: 'editor', invitationId: 'inv/1', token: 'a.b', ...more },
  });
const receivedBy = (to: string) => server.received.filter((mail) => mail.to?.some(({ address }) => address === to));

it('sends each queued mail once, as text and as HTML, with links to the web app', async () => {
  await Promise.all([invite('m-1', 'bob@example.com'), invite('m-1', 'bob@example.com'), invite('m-1', 'bob@example.com')]);
  await ended('m-1');
  await invite('m-1', 'bob@example.com');
  await invite('m-2', 'carla@example.com');
  await ended('m-2');

  expect(receivedBy('bob@example.com')).toHaveLength(1);
  const [mail] = receivedBy('bob@example.com');
  expect(mail).toMatchObject({
    from: { name: 'Fanfare', address: 'no-reply@fanfare.test' },
    to: [{ name: '', address: 'bob@example.com' }],
    subject: 'Join Bakers on Fanfare',
    messageId: '<m-1@fanfare.test>',
  });
  expect(mail?.text).toContain('Ann invites you to join Bakers on Fanfare, with the role editor.');
  expect(mail?.text).toContain('https://app.example.com/invitations/inv%2F1?token=a.b');
  expect(mail?.html).toContain('href="https://app.example.com/invitations/inv%2F1?token=a.b"');
});

it('prevents names from becoming headers, markup or addresses', async () => {
  const organization = 'Bakers\r\nBcc: eve@example.com\u2028<script>alert(1)</script>';
  await invite('m-evil', 'dora@example.com', { organization, inviter: '<a href="https://evil.example">Ann</a>' });
  await ended('m-evil');
  const [mail] = receivedBy('dora@example.com');
  expect(mail?.subject).toBe('Join Bakers Bcc: eve@\u2060example.\u2060com <script>alert(1)</script> on Fanfare');
  expect(mail?.headers.map(({ key }) => key)).not.toContain('bcc');
  expect(mail?.html).not.toMatch(/<script|<a href="https:\/\/evil/);
  expect(mail?.html).toContain('&lt;script&gt;');

  for (const to of [
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'Ann <a@example.com>',
    'a',
    '',
    'a@b@c',
    `${'a'.repeat(250)}@example.com`,
  ]) {
    await expect(invite('m-to', to)).rejects.toThrow('address');
  }
  expect([...server.attempts.keys()].filter((address) => address.startsWith('eve'))).toEqual([]);
});

it('shows names from before the rules as words, never as links', async () => {
  const inviter = 'Support: https://evil.example/sign-in or www.evil.example, evil.co/x, help@evil.example';
  await invite('m-links', 'gerda@example.com', { organization: 'B\u202eeka\u2066rs', inviter });
  await ended('m-links');
  const [mail] = receivedBy('gerda@example.com');
  expect(mail?.subject).toBe('Join Bekars on Fanfare');
  for (const text of [mail?.text, mail?.html]) {
    expect(text).toContain('https:\u2060//evil.\u2060example/sign-in');
    const others = (text ?? '').replaceAll('https://app.example.com/', '');
    expect(others).not.toMatch(/:\/\/|\w\.(?:evil|example|co)\b|@evil/);
  }
});

it('has the unsubscribe headers of the gateway in mails that can be turned off', async () => {
  const url = 'https://api.example.com/unsubscribe?token=a.b';
  const data = { name: 'Ann', organization: 'Bakers', posts: 1, accounts: 0, items: [], more: 0, unsubscribeToken: 'a.b' };
  await queueMail(gateway.context, { id: 'm-stop', to: 'hans@example.com', template: 'failures', data });
  await invite('m-go', 'ida@example.com');
  await Promise.all([ended('m-stop'), ended('m-go')]);
  const [mail] = receivedBy('hans@example.com');
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'list-unsubscribe', value: `<${url}>` }));
  expect(mail?.headers).toContainEqual(expect.objectContaining({ key: 'list-unsubscribe-post', value: 'List-Unsubscribe=One-Click' }));
  expect(mail?.text).toContain(`Stop these emails:\n${url}\n`);
  expect(mail?.html).toContain(`<a href="${url}"`);
  expect(receivedBy('ida@example.com')[0]?.headers.map(({ key }) => key)).not.toContain('list-unsubscribe');
});

it('stores mails encrypted, and deletes their content once they are sent', async () => {
  const idle = await startGateway();
  await invite('m-3', 'secret-recipient@example.com', {}, idle);
  const stored = await mails(idle).findOne({ _id: 'm-3' });
  expect(stored).toMatchObject({ state: 'queued', template: 'invitation', attempts: 0 });
  expect(JSON.stringify(stored)).not.toMatch(/secret-recipient|Bakers|invitations/);
  await idle.stop();

  await invite('m-4', 'emil@example.com');
  expect(await ended('m-4')).not.toHaveProperty('sealed');
});

it('gives a mail up after a final rejection, with the reason', async () => {
  await invite('m-5', 'unknown@example.com');
  expect(await ended('m-5')).toMatchObject({ state: 'given_up', last_error: 'recipient_refused', attempts: 1 });
  expect(server.attempts.get('unknown@example.com')).toBe(1);
});

it('retries a mail after a temporary rejection with a growing delay, for a day', async () => {
  await invite('m-6', 'busy@example.com');
  const waiting = await eventually(async () => (await mails().findOne({ _id: 'm-6', last_error: 'deferred' })) ?? undefined);
  expect(waiting.state).toBe('queued');
  expect(waiting.run_at.getTime() - waiting.created_at.getTime()).toBeGreaterThan(5_000);
  await mails().updateOne({ _id: 'm-6' }, { $set: { run_at: new Date(0) } });
  mailRows.wakeWorkers(gateway.context.db);
  expect(await ended('m-6')).toMatchObject({ state: 'sent', attempts: 2 });

  await invite('m-7', 'busy-too@example.com');
  await eventually(() => mails().findOne({ _id: 'm-7', last_error: 'deferred' }).then(Boolean));
  server.attempts.clear();
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000);
  await mails().updateOne({ _id: 'm-7' }, { $set: { run_at: new Date(0), created_at: yesterday } });
  mailRows.wakeWorkers(gateway.context.db);
  expect(await ended('m-7')).toMatchObject({ state: 'given_up', last_error: 'deferred' });
});

it.each([
  ['nothing listens', 'smtp://127.0.0.1:1', 'unreachable'],
  ['our password is wrong', '', 'sign_in_refused'],
])('keeps a mail queued if %s', async (_why, url, kind) => {
  const other = await startGateway({ SMTP_URL: url || server.url('user:wrong@') });
  await invite('m-8', 'fritz@example.com', {}, other);
  await eventually(() => mails(other).findOne({ _id: 'm-8', state: 'queued', last_error: kind }).then(Boolean));
  const ready = await fetch(`http://127.0.0.1:${other.server.adminPort}/readyz`);
  expect(ready.status).toBe(200);
  await other.stop();
});

it('sends no password to another machine without TLS', async () => {
  // 0.0.0.0 is this machine too, but does not say so.
  const other = await startGateway({ SMTP_URL: server.url('user:wrong@', '0.0.0.0') });
  await invite('m-10', 'helga@example.com', {}, other);
  // Not sign_in_refused: nobody tried to sign in.
  await eventually(() => mails(other).findOne({ _id: 'm-10', state: 'queued', last_error: 'unreachable' }).then(Boolean));
  await other.stop();
});

it('reports queued mails in a metric without SMTP_URL, and stays ready', async () => {
  const idle = await startGateway();
  await invite('m-9', 'gina@example.com', {}, idle);
  const admin = `http://127.0.0.1:${idle.server.adminPort}`;
  expect(await (await fetch(`${admin}/metrics`)).text()).toMatch(/^fanfare_mails_queued(\{.*\})? 1$/m);
  expect((await fetch(`${admin}/readyz`)).status).toBe(200);
  expect(await mails(idle).findOne({ _id: 'm-9' })).toMatchObject({ state: 'queued', attempts: 0 });
  await idle.stop();
});

it('has a link to the inbox only in development', async () => {
  const response = await gateway.call('/_dev/mail', { key: null, redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/_dev/mail']);
  const live = await startGateway();
  expect((await live.call('/_dev/mail', { redirect: 'manual' })).status).toBe(404);
  await live.stop();
});
