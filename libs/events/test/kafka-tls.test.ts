import { recordLog, startTlsProxy, testInfrastructure } from '@fanfare/testing';
import { peerCertificates, type PeerCertificates } from '@fanfare/testing/peer-certificates';
import { createKafka, type KafkaSettings } from '../src/kafka/kafka.ts';

const { kafkaBrokers } = testInfrastructure();
const [broker = ''] = kafkaBrokers;

let certificates: PeerCertificates;
let proxy: Awaited<ReturnType<typeof startTlsProxy>>;
let tls: NonNullable<KafkaSettings['tls']>;
beforeAll(async () => {
  certificates = await peerCertificates();
  proxy = await startTlsProxy(Number(broker.split(':').at(-1)), await certificates.issue('kafka'));
  tls = await certificates.issue('content');
});
afterAll(async () => {
  await proxy.stop();
  certificates.remove();
});

async function connects(more: Partial<KafkaSettings>): Promise<void> {
  await connect(kafkaOf(more));
}

function kafkaOf(more: Partial<KafkaSettings>): ReturnType<typeof createKafka> {
  const settings = {
    brokers: [`127.0.0.1:${proxy.port}`],
    topicPrefix: 'x.',
    partitions: 1,
    clientId: 'test',
    sessionTimeoutMs: 6000,
    ...more,
  };
  return createKafka(settings, recordLog().log);
}

async function connect(kafka: ReturnType<typeof createKafka>): Promise<void> {
  const admin = kafka.admin({ retry: { retries: 0 } });
  try {
    await admin.connect();
  } finally {
    await admin.disconnect();
  }
}

test('connects to brokers by TLS with the configured files', async () => {
  await connects({ tls });
});

test('rejects brokers of another CA, and is rejected without a client certificate', async () => {
  const { caFile } = await certificates.issue('another', { ca: 'another' });
  await expect(connects({ tls: { ...tls, caFile } })).rejects.toThrow(/certificate/);
  await expect(connects({ tls: { caFile: tls.caFile } })).rejects.toThrow();
  await expect(connects({})).rejects.toThrow();
});

test('a renewed certificate is used for the next connection', async () => {
  const kafka = kafkaOf({ tls: { ...(await certificates.issue('webhooks', { ca: 'another' })), caFile: tls.caFile } });
  await expect(connect(kafka)).rejects.toThrow();
  await certificates.issue('webhooks');
  await connect(kafka);
});

test.each(['plain', 'scram-sha-256', 'scram-sha-512'] as const)('sends a password with the mechanism %s', async (mechanism) => {
  // The broker of the tests supports no passwords, and rejects each mechanism.
  await expect(connects({ tls, sasl: { mechanism, username: 'content', password: 'secret' } })).rejects.toThrow(/SASL/i);
});
