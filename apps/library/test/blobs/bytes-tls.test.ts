import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { eventually } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { startLibrary, type TestLibrary } from '../start-library.ts';

type Files = Awaited<ReturnType<PeerCertificates['issue']>>;

let certificates: PeerCertificates;
let library: TestLibrary;
beforeAll(async () => {
  certificates = await peerCertificates();
  library = await startLibrary({ config: { peerTls: { ...(await certificates.issue('library')), peers: ['gateway', 'publisher'] } } });
});
afterAll(async () => {
  await library.stop();
  certificates.remove();
});

const PATH = '/media/nothing/nothing';

/** The status of a request to the HTTP port. */
const statusFor = (files: Partial<Files>): Promise<number> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(library.local('http://127.0.0.9/'));
    const tls = {
      ca: readFileSync(files.caFile ?? ''),
      ...(files.certFile && { cert: readFileSync(files.certFile) }),
      ...(files.keyFile && { key: readFileSync(files.keyFile) }),
    };
    request({ host: '127.0.0.1', port, path: PATH, agent: false, ...tls }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

test('the HTTP port accepts only allowed peers', async () => {
  const gateway = await certificates.issue('gateway');
  expect(await statusFor(gateway)).toBe(404);
  await expect(statusFor(await certificates.issue('content'))).rejects.toThrow();
  await expect(statusFor({ caFile: gateway.caFile })).rejects.toThrow();
  const foreign = await certificates.issue('gateway', { ca: 'another' });
  await expect(statusFor({ ...foreign, caFile: (await certificates.issue('publisher')).caFile })).rejects.toThrow();
  await expect(fetch(library.local(`http://127.0.0.9${PATH}`))).rejects.toThrow();
  await eventually(async () => (await statusFor(await certificates.issue('publisher'))) === 404);
});

test('an old connection ends with its next response, so that certificates of a CA that was replaced are not accepted for ever', async () => {
  const old = await startLibrary({ config: { maxConnectionAgeMs: 0 } });
  const urlOf = (one: TestLibrary) => one.local(`http://127.0.0.9${PATH}`);
  try {
    expect((await fetch(urlOf(old))).headers.get('connection')).toBe('close');
  } finally {
    await old.stop();
  }
  const young = await startLibrary();
  try {
    expect((await fetch(urlOf(young))).headers.get('connection')).toBe('keep-alive');
  } finally {
    await young.stop();
  }
});
