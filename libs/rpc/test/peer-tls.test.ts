import { credentials, Client as GrpcClient } from '@grpc/grpc-js';
import { connect } from 'node:tls';
import { readFileSync } from 'node:fs';
import { createPeerTls, type PeerTls } from '@fanfare/runtime';
import { eventually, peerCertificates, recordLog, type PeerCertificates } from '@fanfare/testing';
import { aCall, contentClient, runContent } from './running-content.ts';

type Files = Awaited<ReturnType<PeerCertificates['issue']>>;

let certificates: PeerCertificates;
let server: Awaited<ReturnType<typeof runContent>>;
let serverFiles: Files;
const { log, lines } = recordLog();
const closing: (() => unknown)[] = [];

const tlsOf = (files: Files, peers: string[] = []): PeerTls => {
  const tls = createPeerTls({ ...files, peers }, log, 20);
  closing.push(tls.close);
  return tls;
};
beforeAll(async () => {
  certificates = await peerCertificates();
  serverFiles = await certificates.issue('content');
  const tls = tlsOf(serverFiles, ['gateway', 'operator']);
  const handlers = { getDueBacklog: async () => ({ oldestDueAt: undefined }), getPost: async () => ({ post: undefined }) };
  server = await runContent(handlers, { tls, log, callers: { getPost: ['reader'] } });
});
afterEach(() => {
  for (const close of closing.splice(1).reverse()) close();
});
afterAll(async () => {
  await server.stop();
  closing[0]?.();
  certificates.remove();
});

const ask = (files: Files | undefined) => {
  const { client, close } = contentClient(server.port, 'content', files && tlsOf(files));
  closing.push(close);
  return client.getDueBacklog({}, { call: aCall(), timeoutMs: 1_500 });
};
const REFUSED = { code: 'internal_error' };

test('a peer with a certificate of our CA and a name that may call is answered', async () => {
  expect(await ask(await certificates.issue('gateway'))).toEqual({ oldestDueAt: undefined });
});

test('a peer with another name is refused, and the log says so', async () => {
  await expect(ask(await certificates.issue('sandbox'))).rejects.toMatchObject(REFUSED);
  expect(lines.some(({ msg }) => String(msg).includes('TLS_PEERS'))).toBe(true);
});

test('a method may have callers of its own: whoever else may call the process is refused', async () => {
  const askPost = async (name: string) => {
    const { client, close } = contentClient(server.port, 'content', tlsOf(await certificates.issue(name)));
    closing.push(close);
    return client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 1_500 });
  };
  expect(await askPost('reader')).toEqual({ post: undefined });
  await expect(askPost('gateway')).rejects.toMatchObject(REFUSED);
  await expect(ask(await certificates.issue('reader'))).rejects.toMatchObject(REFUSED);
});

test('a peer of another CA is refused, also one that has our CA among its files', async () => {
  const foreign = await certificates.issue('gateway', { ca: 'another' });
  await expect(ask(foreign)).rejects.toMatchObject(REFUSED);
  await expect(ask({ ...foreign, caFile: serverFiles.caFile })).rejects.toMatchObject(REFUSED);
});

test('a peer without a certificate is refused, with TLS and without', async () => {
  await expect(ask(undefined)).rejects.toMatchObject(REFUSED);
  const bare = new GrpcClient(`127.0.0.1:${server.port}`, credentials.createSsl(readFileSync(serverFiles.caFile)));
  closing.push(() => bare.close());
  const bytes = (message: Buffer) => message;
  const response = new Promise((resolve, reject) =>
    bare.makeUnaryRequest(
      '/grpc.health.v1.Health/Check',
      bytes,
      bytes,
      Buffer.alloc(0),
      { deadline: Date.now() + 1_500 } as never,
      (error, value) => (error ? reject(error) : resolve(value)),
    ),
  );
  await expect(response).rejects.toThrow();
});

test('a client does not speak to a server of another CA', async () => {
  const { caFile } = await certificates.issue('somebody', { ca: 'another' });
  await expect(ask({ ...(await certificates.issue('gateway')), caFile })).rejects.toMatchObject(REFUSED);
});

test('new files are taken up while it serves; files that cannot be used leave those before in force', async () => {
  const serial = () =>
    new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port: server.port, ca: readFileSync(serverFiles.caFile), ALPNProtocols: ['h2'] }, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      });
      socket.once('error', reject);
    });
  const before = await serial();
  await certificates.issue('content');
  const after = await eventually(async () => ((await serial()) === before ? undefined : serial()));
  const { writeFileSync } = await import('node:fs');
  const cert = readFileSync(serverFiles.certFile);
  writeFileSync(serverFiles.certFile, 'no certificate');
  await eventually(() => lines.some(({ msg }) => String(msg).includes('could not load')));
  expect(await serial()).toBe(after);
  expect(await ask(await certificates.issue('operator'))).toEqual({ oldestDueAt: undefined });
  writeFileSync(serverFiles.certFile, cert);
});
