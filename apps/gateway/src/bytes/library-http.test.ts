import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createPeerTls, type PeerTls } from '@fanfare/runtime';
import { recordLog } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { responseOf, createLibraryHttp } from './library-http.ts';

let certificates: PeerCertificates;
let library: Server;
let url: string;
const tlsOf = async (ca: 'ours' | 'another'): Promise<PeerTls> =>
  createPeerTls({ ...(await certificates.issue('gateway', { ca })), peers: [] }, recordLog().log);
beforeAll(async () => {
  certificates = await peerCertificates();
  const { certFile, keyFile, caFile } = await certificates.issue('library');
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile), ca: readFileSync(caFile) };
  library = createServer({ ...files, requestCert: true, rejectUnauthorized: true }, (_request, response) => {
    response.writeHead(200, { 'content-length': 5 }).end('bytes');
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

test.each(['ours', 'another', undefined] as const)('requests to the library use our certificate: %s', async (ca) => {
  const tls = ca && (await tlsOf(ca));
  const http = createLibraryHttp(url, tls);
  const opening = http.open({ method: 'GET', path: '/media/a/b', headers: {}, signal: AbortSignal.timeout(5_000) });
  const sent = http.request({ method: 'PUT', path: '/uploads/a', headers: {} });
  sent.end();
  const responding = responseOf(sent);
  if (ca === 'ours') {
    expect([(await opening).status, (await responding).resume().statusCode]).toEqual([200, 200]);
  } else {
    await expect(opening).rejects.toMatchObject({ code: 'internal_error' });
    await expect(responding).rejects.toMatchObject({ code: 'internal_error' });
  }
  http.close();
  tls?.close();
});
