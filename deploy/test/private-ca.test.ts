// privateCa of the chart is NODE_EXTRA_CA_CERTS: each client of servers outside trusts the CA in it, and none trusts that CA without.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';

const ROOT = path.join(import.meta.dirname, '../..');

let certificates: PeerCertificates;
let caFile: string;
const servers = [] as { close(): void }[];
let https: number;
let smtps: number;

beforeAll(async () => {
  certificates = await peerCertificates();
  const files = await certificates.issue('inside.test');
  caFile = files.caFile;
  const tls = { cert: readFileSync(files.certFile), key: readFileSync(files.keyFile) };
  const portOf = async (server: ReturnType<typeof createTlsServer>) => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  };
  https = await portOf(createServer(tls, (_request, response) => response.end('{}')));
  smtps = await portOf(createTlsServer(tls, serveMail));
});
afterAll(() => {
  for (const server of servers) server.close();
  certificates.remove();
});

/** As much SMTP as a client needs to send a mail. */
function serveMail(socket: TLSSocket): void {
  let isData = false;
  socket.on('error', () => undefined);
  socket.write('220 inside.test ESMTP\r\n');
  socket.on('data', (bytes) => {
    const text = bytes.toString();
    if (isData && !/(^|\n)\.\r\n$/.test(text)) return;
    const begins = !isData && text.startsWith('DATA');
    isData = begins;
    socket.write(begins ? '354 go on\r\n' : '250 ok\r\n');
  });
}

/** Each prints nothing, or fails. */
const CLIENTS = {
  'guarded-http, for the provider of OpenID Connect': () => `
    import { createGuardedClient } from '@fanfare/guarded-http';
    const client = createGuardedClient({ allowedOrigins: ['https://localhost:${https}'] });
    await client.fetch('https://localhost:${https}/', { maxBytes: 100, timeoutMs: 60_000 }, async () => undefined);`,
  'the HTTP client, for models': () => `
    import { fetch } from '@fanfare/runtime/http-client';
    await fetch('https://localhost:${https}/');`,
  'the client of S3': () => `
    const { openBucket } = await import('${path.join(ROOT, 'apps/library/src/blobs/store/s3-bucket.ts')}');
    const credentials = { accessKeyId: 'k', secretAccessKey: 's' };
    await openBucket({ bucket: 'media', endpoint: 'https://localhost:${https}', region: 'us-east-1', credentials }).put('a', Buffer.from('a'));`,
  'the client of mail servers': () => `
    const { createSmtp } = await import('${path.join(ROOT, 'apps/gateway/src/accounts/mail/smtp.ts')}');
    await createSmtp('smtps://localhost:${smtps}', 'a@inside.test').send('id', { to: 'b@inside.test', subject: 's', text: 't', html: 'h' });`,
} as const;

test.each(Object.entries(CLIENTS))('%s trusts a private CA that Node was given, and no other one', async (_, script) => {
  const run = (env: Readonly<Record<string, string>>) =>
    promisify(execFile)(process.execPath, ['--input-type=module', '-e', `${script()}\nprocess.exit(0);`], {
      cwd: ROOT,
      env: { PATH: process.env['PATH'], ...env },
    });
  await expect(run({ NODE_EXTRA_CA_CERTS: caFile })).resolves.toBeDefined();
  await expect(run({})).rejects.toMatchObject({
    stderr: expect.stringMatching(/SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/),
  });
});
