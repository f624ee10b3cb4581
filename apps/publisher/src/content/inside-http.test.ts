import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createPeerTls } from '@fanfare/runtime';
import { recordLog } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { createInsideHttp } from './inside-http.ts';
import { readRange } from './load-content.ts';

const bytes = Buffer.from('0123456789');
let certificates: PeerCertificates;
let library: Server;
let url: string;
beforeAll(async () => {
  certificates = await peerCertificates();
  const { certFile, keyFile, caFile } = await certificates.issue('library');
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile), ca: readFileSync(caFile) };
  library = createServer({ ...files, requestCert: true, rejectUnauthorized: true }, (request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const part = request.url === '/more' ? Buffer.alloc(1_000_000) : bytes.subarray(Number(first), Number(last) + 1);
    response.writeHead(request.url === '/whole' ? 200 : 206).end(part);
  });
  library.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => library.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(library.address() as AddressInfo).port}`;
});
afterAll(async () => {
  library.closeAllConnections();
  await new Promise((resolve) => library.close(resolve));
  certificates.remove();
});

const reading = async (path: string, ca: 'ours' | 'another' | undefined): Promise<Buffer> => {
  const tls = ca && createPeerTls({ ...(await certificates.issue('publisher', { ca })), peers: [] }, recordLog().log);
  const http = createInsideHttp(tls);
  try {
    return await readRange(http, url + path, 2, 4);
  } finally {
    tls?.close();
    await http.destroy();
  }
};

test('reads bytes with the certificate of this process, and fails without it', async () => {
  expect((await reading('/', 'ours')).toString()).toBe('234');
  await expect(reading('/', 'another')).rejects.toThrow();
  await expect(reading('/', undefined)).rejects.toThrow();
});

test('a response that is not the requested range is not read to its end', async () => {
  await expect(reading('/whole', 'ours')).rejects.toThrow('responded with status 200');
  await expect(reading('/more', 'ours')).rejects.toThrow('responded with status 206');
});
