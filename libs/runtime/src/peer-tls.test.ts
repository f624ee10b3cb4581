import { kafkaEnv, kafkaProblems, rpcEnv } from './service-env.ts';
import { peerTlsProblems } from './peer-tls.ts';
import { readEnv, setting } from './read-env.ts';

const files = { TLS_CERT_FILE: '/c', TLS_KEY_FILE: '/k', TLS_CA_FILE: '/a' };
const shape = { ...rpcEnv(['gateway']), GRPC_ADDRESS: setting.address() };
const read = (env: Record<string, string>) => readEnv(shape, env, (read) => peerTlsProblems(read, { GRPC_ADDRESS: read.GRPC_ADDRESS }));

test.each(['0.0.0.0:4411', '[::]:4411', '10.0.0.7:4411', 'content:4411', '127.evil.example:1'])(
  '%s is not listened on without certificates',
  (GRPC_ADDRESS) => {
    for (const NODE_ENV of ['production', 'development', 'test']) expect(() => read({ GRPC_ADDRESS, NODE_ENV })).toThrow('GRPC_ADDRESS: ');
    expect(read({ GRPC_ADDRESS, ...files })).toMatchObject({ TLS_PEERS: ['gateway'], GRPC_REFLECTION: 'false' });
  },
);

test.each(['127.0.0.1:0', 'localhost:4411', '[::1]:4411'])('%s may be', (GRPC_ADDRESS) => {
  expect(read({ GRPC_ADDRESS }).TLS_CERT_FILE).toBeUndefined();
});

test('certificate, key and CA must be set together', () => {
  for (const name of Object.keys(files)) expect(() => read({ GRPC_ADDRESS: '127.0.0.1:0', ...files, [name]: '' })).toThrow('TLS_CERT_FILE');
});

test.each([
  [{ KAFKA_TLS_CA_FILE: '/a' }, 'KAFKA_TLS: '],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: '/c' }, 'KAFKA_TLS_KEY_FILE'],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_PASSWORD'],
  [{ KAFKA_BROKERS: 'kafka:9092', KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }, 'clear text'],
])('%o does not do for Kafka', (env, problem) => {
  expect(() => readEnv(kafkaEnv, env, kafkaProblems)).toThrow(problem);
});
