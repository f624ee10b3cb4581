import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connect } from 'node:tls';
import { createPeerTls, type PeerTls } from '@fanfare/runtime';
import { eventually, recordLog } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { aCall, contentClient, runContent } from './running-content.ts';

const { log } = recordLog();
const closing: (() => unknown)[] = [];
let certificates: PeerCertificates;
beforeEach(async () => {
  certificates = await peerCertificates();
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  certificates.remove();
});

type Authority = 'ours' | 'another';
interface Mounted {
  readonly tls: PeerTls;
  /** A new certificate of one CA, and trust in one or both. */
  renew(issuer: Authority, trusted: readonly Authority[]): Promise<void>;
}

/** The folder of a Secret as the kubelet mounts it: the files are links to links into a folder, and one rename replaces them all. */
async function mountedSecret(name: string, peers: string[] = []): Promise<Mounted> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'fanfare-mounted-'));
  closing.push(() => rmSync(folder, { recursive: true }));
  let version = 0;
  const used: { tls?: PeerTls } = {};
  const renew = async (issuer: Authority, trusted: readonly Authority[]) => {
    const { certFile, keyFile } = await certificates.issue(name, { ca: issuer });
    const next = `..version-${(version += 1)}`;
    mkdirSync(path.join(folder, next));
    const write = (file: string, text: string) => writeFileSync(path.join(folder, next, file), text);
    write('tls.crt', readFileSync(certFile, 'utf8'));
    write('tls.key', readFileSync(keyFile, 'utf8'));
    const authorities: string[] = [];
    for (const ca of trusted) authorities.push(readFileSync((await certificates.issue('anybody', { ca })).caFile, 'utf8'));
    write('ca.crt', authorities.join('\n'));
    symlinkSync(next, path.join(folder, '..data_tmp'));
    renameSync(path.join(folder, '..data_tmp'), path.join(folder, '..data'));
    const written = readFileSync(path.join(folder, next, 'tls.crt'));
    await eventually(() => used.tls?.current().cert.equals(written) ?? true);
  };
  await renew('ours', ['ours']);
  const files = ['tls.crt', 'tls.key', 'ca.crt'].map((file) => {
    symlinkSync(path.join('..data', file), path.join(folder, file));
    return path.join(folder, file);
  });
  const [certFile = '', keyFile = '', caFile = ''] = files;
  const tls = createPeerTls({ certFile, keyFile, caFile, peers }, log, 20);
  used.tls = tls;
  closing.push(tls.close);
  return { tls, renew };
}

test('while all certificates and their CA are replaced, no call fails, and a call under way is finished', async () => {
  const content = await mountedSecret('content', ['gateway']);
  const gateway = await mountedSecret('gateway');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const handlers = {
    getDueBacklog: async () => ({ oldestDueAt: undefined }),
    getPost: async () => {
      begin();
      await released;
      return { post: undefined };
    },
  };
  const server = await runContent(handlers, { tls: content.tls, log });
  closing.push(() => server.stop());
  const lasting = contentClient(server.port, 'content', gateway.tls);
  closing.push(lasting.close);
  const call = { call: aCall(), timeoutMs: 60_000 };

  // One connection that lasts, and new ones all the time.
  let stopping = false;
  let calls = 0;
  const calling = (async () => {
    while (!stopping) {
      await lasting.client.getDueBacklog({}, call);
      const fresh = contentClient(server.port, 'content', gateway.tls);
      await fresh.client.getDueBacklog({}, call).finally(fresh.close);
      calls += 1;
    }
  })();
  calling.catch(() => undefined);
  const moreCalls = async () => {
    const before = calls;
    await Promise.race([calling, eventually(() => calls >= before + 3)]);
  };
  const underWay = lasting.client.getPost({ postId: 'p' }, call);
  await begun;

  for (const [issuer, trusted] of [
    ['ours', ['ours']],
    ['ours', ['ours', 'another']],
    ['another', ['ours', 'another']],
    ['another', ['another']],
  ] as const) {
    const before = await serialOf(server.port);
    await Promise.all([content.renew(issuer, trusted), gateway.renew(issuer, trusted)]);
    await eventually(async () => (await serialOf(server.port)) !== before);
    await moreCalls();
  }
  release();
  expect(await underWay).toEqual({ post: undefined });
  stopping = true;
  await calling;

  // What the old CA has issued opens nothing any more.
  const old = createPeerTls({ ...(await certificates.issue('gateway', { ca: 'ours' })), peers: [] }, log);
  closing.push(old.close);
  const left = contentClient(server.port, 'content', old);
  closing.push(left.close);
  await expect(left.client.getDueBacklog({}, { call: aCall(), timeoutMs: 1_500 })).rejects.toMatchObject({ code: 'internal_error' });
});

test('a renewed certificate without the name that is listed is rejected from its next connection on', async () => {
  const content = await mountedSecret('content', ['gateway']);
  const server = await runContent({ getDueBacklog: async () => ({ oldestDueAt: undefined }) }, { tls: content.tls, log });
  closing.push(() => server.stop());
  const { certFile, keyFile, caFile } = await certificates.issue('gateway');
  const tls = createPeerTls({ certFile, keyFile, caFile, peers: [] }, log, 20);
  closing.push(tls.close);
  const callOnce = async (timeoutMs: number) => {
    const { client, close } = contentClient(server.port, 'content', tls);
    return client.getDueBacklog({}, { call: aCall(), timeoutMs }).finally(close);
  };
  expect(await callOnce(60_000)).toEqual({ oldestDueAt: undefined });
  const other = await certificates.issue('sandbox');
  writeFileSync(keyFile, readFileSync(other.keyFile));
  writeFileSync(certFile, readFileSync(other.certFile));
  await eventually(() =>
    callOnce(1_500).then(
      () => false,
      (error: { code?: string }) => error.code === 'internal_error',
    ),
  );
});

/** Of the certificate that the server shows now. */
const serialOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false, ALPNProtocols: ['h2'] }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
