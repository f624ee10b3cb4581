import { readEnv } from './read-env.ts';
import { kafkaEnv, kafkaProblems, mongoEnv, mongoProblems, processEnv } from './service-env.ts';

const shape = { ...processEnv, ...mongoEnv('fanfare_test'), ...kafkaEnv };
const read = (env: Record<string, string>) => readEnv(shape, env, [mongoProblems, kafkaProblems]);

test.each([
  [{ KAFKA_TLS_CA_FILE: '/a' }, 'KAFKA_TLS: '],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: '/c' }, 'KAFKA_TLS_KEY_FILE'],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_PASSWORD'],
  [{ KAFKA_BROKERS: 'kafka:9092', KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }, 'clear text'],
])('%o is rejected for Kafka', (env, problem) => {
  expect(() => read({ NODE_ENV: 'test', ...env })).toThrow(problem);
});

test.each([
  'mongodb://db.example.com/',
  'mongodb://user:p%40ss@db.example.com:27017/?replicaSet=rs0',
  'mongodb://127.0.0.1:27017,db.example.com:27017/',
  'mongodb://db.example.com/?tls=false',
  'mongodb+srv://cluster.example.com/?tls=false',
  'mongodb://127.0.0.1@db.example.com/',
  'mongodb://127.evil.example/',
])('production rejects %s, because it has no TLS', (MONGODB_URL) => {
  expect(() => read({ MONGODB_URL })).toThrow('MONGODB_URL: is on another machine and has no TLS');
  expect(() => read({ MONGODB_URL })).not.toThrow(/p%40ss/);
  for (const permitted of [{ NODE_ENV: 'development' }, { UNENCRYPTED_NETWORK: 'true' }]) {
    expect(read({ MONGODB_URL, ...permitted })).toMatchObject({ MONGODB_URL });
  }
});

test.each(['tlsInsecure', 'tlsAllowInvalidCertificates', 'tlsallowinvalidhostnames'])(
  'production rejects %s, which accepts every server',
  (option) => {
    const MONGODB_URL = `mongodb://db.example.com/?tls=true&${option}=true`;
    expect(() => read({ MONGODB_URL })).toThrow(`MONGODB_URL: ${option} accepts every server`);
    expect(read({ MONGODB_URL, NODE_ENV: 'development' })).toMatchObject({ MONGODB_URL });
    expect(read({ MONGODB_URL: MONGODB_URL.replace(`${option}=true`, `${option}=false`) })).toBeDefined();
  },
);

test.each([
  'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  'mongodb://u:p@localhost,[::1]:27018/admin',
  'mongodb://db.example.com/?replicaSet=rs0&tls=true',
  'mongodb://a:1,b:2/admin?ssl=true',
  'mongodb+srv://cluster.example.com/',
])('production accepts %s', (MONGODB_URL) => {
  expect(read({ MONGODB_URL })).toMatchObject({ MONGODB_URL });
});

test('production connects to brokers on other machines by TLS only', () => {
  const KAFKA_BROKERS = '127.0.0.1:9092,kafka:9092';
  expect(() => read({ KAFKA_BROKERS })).toThrow('KAFKA_BROKERS: is on another machine and has no TLS');
  for (const permitted of [{ KAFKA_TLS: 'true' }, { NODE_ENV: 'test' }, { UNENCRYPTED_NETWORK: 'true' }]) {
    expect(read({ KAFKA_BROKERS, ...permitted }).KAFKA_BROKERS).toHaveLength(2);
  }
});
