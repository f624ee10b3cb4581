import { credentials, Client as GrpcClient } from '@grpc/grpc-js';
import { connect } from 'node:tls';
import { readFileSync } from 'node:fs';
import { createPeerTls, type PeerTls } from '@fanfare/runtime';
import { eventually, recordLog } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
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

const getBacklog = (files: Files | undefined) => {
  const { client, close } = contentClient(server.port, 'content', files && tlsOf(files));
  closing.push(close);
  return client.getDueBacklog({}, { call: aCall(), timeoutMs: 20_000 });
};
const REJECTED = { code: 'internal_error' };

test('a peer with a certificate of our CA and an allowed name may call', async () => {
  expect(await getBacklog(await certificates.issue('gateway'))).toEqual({ oldestDueAt: undefined });
});

test('a peer with another name is rejected, and the log says so', async () => {
  await expect(getBacklog(await certificates.issue('sandbox'))).rejects.toMatchObject(REJECTED);
  expect(lines.some(({ msg }) => String(msg).includes('TLS_PEERS'))).toBe(true);
});

test('a method with callers of its own rejects the other allowed callers of the process', async () => {
  const getPost = async (name: string) => {
    const { client, close } = contentClient(server.port, 'content', tlsOf(await certificates.issue(name)));
    closing.push(close);
    return client.getPost({ postId: 'p' }, { call: aCall(), timeoutMs: 20_000 });
  };
  expect(await getPost('reader')).toEqual({ post: undefined });
  await expect(getPost('gateway')).rejects.toMatchObject(REJECTED);
  await expect(getBacklog(await certificates.issue('reader'))).rejects.toMatchObject(REJECTED);
});

test('a peer of another CA is rejected, even if it trusts our CA', async () => {
  const foreign = await certificates.issue('gateway', { ca: 'another' });
  await expect(getBacklog(foreign)).rejects.toMatchObject(REJECTED);
  await expect(getBacklog({ ...foreign, caFile: serverFiles.caFile })).rejects.toMatchObject(REJECTED);
});

test('a peer without a certificate is rejected, with or without TLS', async () => {
  await expect(getBacklog(undefined)).rejects.toMatchObject(REJECTED);
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

test('a client does not connect to a server of another CA', async () => {
  const { caFile } = await certificates.issue('somebody', { ca: 'another' });
  await expect(getBacklog({ ...(await certificates.issue('gateway')), caFile })).rejects.toMatchObject(REJECTED);
});

test('new certificate files are loaded without a restart; after unusable files, the previous ones stay in use', async () => {
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
  expect(await getBacklog(await certificates.issue('operator'))).toEqual({ oldestDueAt: undefined });
  writeFileSync(serverFiles.certFile, cert);
});
