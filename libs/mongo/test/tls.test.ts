import { writeFileSync, readFileSync } from 'node:fs';
import { startTlsProxy, testInfrastructure } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { connectMongo } from '../src/index.ts';

const { mongoUrl, database } = testInfrastructure();

let certificates: PeerCertificates;
let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
beforeAll(async () => {
  certificates = await peerCertificates();
  proxy = await startTlsProxy(Number(new URL(mongoUrl).port), await certificates.issue('mongodb'));
});
afterAll(async () => {
  await proxy.stop();
  certificates.remove();
});

const connects = async (options: Record<string, string>) => {
  const query = new URLSearchParams({ directConnection: 'true', serverSelectionTimeoutMS: '3000', ...options });
  const mongo = await connectMongo({ url: `mongodb://127.0.0.1:${proxy.port}/?${query.toString()}`, database, service: 'test' });
  try {
    await mongo.db.command({ ping: 1 });
  } finally {
    await mongo.close();
  }
};

test('TLS is configured by files in the URL', async () => {
  const { caFile, certFile, keyFile } = await certificates.issue('content');
  const both = `${certFile}.both`;
  writeFileSync(both, Buffer.concat([readFileSync(certFile), Buffer.from('\n'), readFileSync(keyFile)]));
  await connects({ tls: 'true', tlsCAFile: caFile, tlsCertificateKeyFile: both });
  const another = await certificates.issue('another', { ca: 'another' });
  await expect(connects({ tls: 'true', tlsCAFile: another.caFile, tlsCertificateKeyFile: both })).rejects.toThrow(/certificate/);
  await expect(connects({ tls: 'true', tlsCAFile: caFile })).rejects.toThrow();
});
