import { readEnv } from './read-env.ts';
import { kafkaEnv, kafkaProblems, processEnv } from './service-env.ts';

const shape = { ...processEnv, ...kafkaEnv };
const read = (env: Record<string, string>) => readEnv(shape, env, [kafkaProblems]);

test.each([
  [{ KAFKA_TLS_CA_FILE: '/a' }, 'KAFKA_TLS: '],
  [{ KAFKA_TLS: 'true', KAFKA_TLS_CERT_FILE: '/c' }, 'KAFKA_TLS_KEY_FILE'],
  [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u' }, 'KAFKA_SASL_PASSWORD'],
  [{ KAFKA_BROKERS: 'kafka:9092', KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'u', KAFKA_SASL_PASSWORD: 'p' }, 'clear text'],
])('%o is rejected for Kafka', (env, problem) => {
  expect(() => read({ NODE_ENV: 'test', ...env })).toThrow(problem);
});

test('production connects to brokers on other machines by TLS only', () => {
  const KAFKA_BROKERS = '127.0.0.1:9092,kafka:9092';
  expect(() => read({ KAFKA_BROKERS })).toThrow('KAFKA_BROKERS: is on another machine and has no TLS');
  for (const permitted of [{ KAFKA_TLS: 'true' }, { NODE_ENV: 'test' }, { UNENCRYPTED_NETWORK: 'true' }]) {
    expect(read({ KAFKA_BROKERS, ...permitted }).KAFKA_BROKERS).toHaveLength(2);
  }
});
