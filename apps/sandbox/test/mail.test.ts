import { createTransport } from 'nodemailer';
import { runningSandbox } from './running-sandbox.ts';

const evil =
  '<script>fetch("/_control/reset")</script><b>Hello</b> <img src="https://tracker.example/x.png"><a href="https://example.com/verify?token=1">Confirm</a>';

async function mailingSandbox() {
  const sandbox = await runningSandbox({ SMTP_PORT: '0' });
  const transport = createTransport({ host: '127.0.0.1', port: sandbox.smtpPort!, ignoreTLS: true, pool: true, maxMessages: Infinity });
  const send = (mail: { to?: string; subject?: string; text?: string; html?: string }) =>
    transport.sendMail({ from: 'Fanfare <no-reply@fanfare.test>', to: 'ann@example.com', subject: 'Grüße 🎺', text: 'Hello', ...mail });
  const stop = async () => {
    transport.close();
    await sandbox.stop();
  };
  return { ...sandbox, send, stop };
}

it('accepts mail by SMTP and shows it, newest first, to tests and to people', async () => {
  const sandbox = await mailingSandbox();
  const { messageId } = await sandbox.send({ text: 'Open https://example.com/verify?token=1&x=2 <now>', html: evil });
  await sandbox.send({ to: 'bob@example.com, Carla <carla@example.com>', subject: 'Second <b>' });

  const { items } = (await sandbox.control('/mails')).body;
  expect(items).toMatchObject([
    { subject: 'Second <b>', to: ['bob@example.com', 'carla@example.com'], html: '' },
    {
      subject: 'Grüße 🎺',
      from: 'Fanfare <no-reply@fanfare.test>',
      to: ['ann@example.com'],
      message_id: messageId,
      html: expect.stringContaining(evil),
    },
  ]);
  expect((await sandbox.control('/mails?to=Carla@example.com')).body.items).toHaveLength(1);
  expect((await sandbox.control('/mails?limit=1')).body.items).toHaveLength(1);
  expect((await sandbox.control('/mails?colour=red')).status).toBe(400);

  const inbox = await sandbox.call('/_dev/mail');
  expect(inbox.text).toContain('Grüße 🎺');
  expect(inbox.text).toContain('Second &#60;b&#62;');
  expect(inbox.text).toContain('http-equiv="refresh"');
  await sandbox.stop();
});

it('shows a mail without running anything in it', async () => {
  const sandbox = await mailingSandbox();
  await sandbox.send({ text: 'Open https://example.com/verify?token=1&x=2 <now>', html: evil });
  const [{ id }] = (await sandbox.control('/mails')).body.items;

  const page = await sandbox.call(`/_dev/mail/${id}`);
  expect(page.text).toContain('<a href="https://example.com/verify?token=1&#38;x=2"');
  expect(page.text).toContain('&#60;now&#62;');
  expect(page.text).not.toContain('<script>');
  expect(page.text).toMatch(/<iframe [^>]*sandbox="allow-popups allow-popups-to-escape-sandbox"/);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");

  const framed = await sandbox.call(`/_dev/mail/${id}/html`);
  expect(framed.text).toContain('<b>Hello</b>');
  const policy = framed.headers.get('content-security-policy')!;
  expect(policy).toMatch(/default-src 'none'.*img-src data:.*sandbox /);
  expect(policy).not.toMatch(/allow-scripts|allow-same-origin|script-src/);
  expect((await sandbox.call('/_dev/mail/nothing')).status).toBe(404);
  await sandbox.stop();
});

it('keeps the last 200, and deletes them on request', async () => {
  const sandbox = await mailingSandbox();
  for (let n = 1; n <= 203; n++) await sandbox.send({ subject: `Mail ${n}` });
  const { items } = (await sandbox.control('/mails')).body;
  expect(items.map(({ subject }: { subject: string }) => subject)).toEqual(Array.from({ length: 200 }, (_, n) => `Mail ${203 - n}`));
  await sandbox.control('/mails', undefined, 'DELETE');
  expect((await sandbox.control('/mails')).body.items).toEqual([]);
  await sandbox.stop();
});

it('rejects a mail of more than 1 MiB', async () => {
  const sandbox = await mailingSandbox();
  await expect(sandbox.send({ text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({ responseCode: 552 });
  expect((await sandbox.control('/mails')).body.items).toEqual([]);
  await sandbox.stop();
});

it('accepts no mail unless a port is configured', async () => {
  const sandbox = await runningSandbox();
  expect(sandbox.smtpPort).toBeNull();
  expect((await sandbox.call('/_dev/mail')).text).toContain('No mail yet');
  await sandbox.stop();
});
