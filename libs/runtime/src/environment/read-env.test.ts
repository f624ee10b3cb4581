import { z } from 'zod';
import { developmentOnly, publicAddress } from './production.ts';
import { readEnv, setting } from './read-env.ts';
import { kafkaEnv, mongoEnv, processEnv } from './service-env.ts';

const shape = { ...processEnv, ...mongoEnv('fanfare_test'), ...kafkaEnv, BASE_URL: setting.url('http://127.0.0.1:4400/'), KEY: z.string() };

test('every setting except secrets has a default that works on one machine', () => {
  expect(readEnv(shape, { KEY: 'k' })).toEqual({
    LOG_LEVEL: 'info',
    ADMIN_ADDRESS: '127.0.0.1:0',
    UNENCRYPTED_NETWORK: 'false',
    MONGODB_URL: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
    MONGODB_DATABASE: 'fanfare_test',
    KAFKA_BROKERS: ['127.0.0.1:9092'],
    KAFKA_TOPIC_PREFIX: 'fanfare.',
    KAFKA_PARTITIONS: 6,
    KAFKA_SESSION_TIMEOUT_MS: 10_000,
    KAFKA_TLS: 'false',
    LATE_AFTER_MS: 30_000,
    BASE_URL: 'http://127.0.0.1:4400',
    KEY: 'k',
  });
});

test('settings are parsed; an empty one counts as unset, and unknown ones are left out', () => {
  const env = {
    KEY: 'k',
    KAFKA_BROKERS: ' a:1, b:2,,',
    KAFKA_SESSION_TIMEOUT_MS: '6000',
    MONGODB_DATABASE: '',
    BASE_URL: 'https://x/',
    HOME: '/',
  };
  expect(readEnv(shape, env)).toMatchObject({
    KAFKA_BROKERS: ['a:1', 'b:2'],
    KAFKA_SESSION_TIMEOUT_MS: 6_000,
    MONGODB_DATABASE: 'fanfare_test',
    BASE_URL: 'https://x',
  });
  expect(readEnv(shape, env)).not.toHaveProperty('HOME');
});

test('names every setting that is wrong or missing, at once and without its value', () => {
  const wrong = {
    LOG_LEVEL: 'hunter2-a',
    ADMIN_ADDRESS: 'hunter2-b',
    MONGODB_URL: 'postgres://root:hunter2-c@db',
    MONGODB_DATABASE: 'hunter2/d',
    KAFKA_TOPIC_PREFIX: 'hunter2 e',
    KAFKA_SESSION_TIMEOUT_MS: 'hunter2-f',
    BASE_URL: 'ftp://hunter2-g',
  };
  const read = () => readEnv(shape, wrong);
  for (const name of [...Object.keys(wrong), 'KEY']) expect(read).toThrow(new RegExp(`\\b${name}: `));
  expect(read).not.toThrow(/hunter2/);
});

test.each([
  ['ADMIN_ADDRESS', '127.0.0.1:65536'],
  ['ADMIN_ADDRESS', '4400'],
  ['KAFKA_SESSION_TIMEOUT_MS', '5999'],
  ['KAFKA_SESSION_TIMEOUT_MS', '6000.5'],
  ['KAFKA_BROKERS', ' , '],
  ['BASE_URL', 'localhost:4400'],
])('%s must not be %s', (name, value) => {
  expect(() => readEnv(shape, { KEY: 'k', [name]: value })).toThrow(`${name}: `);
});

const guarded = {
  BASE_URL: publicAddress(setting.url('http://127.0.0.1/')),
  DOOR: developmentOnly(setting.list()),
  KEY: setting.keyring(),
};
const zeros = `k:${Buffer.alloc(32).toString('base64')}`;

test.each([{}, { NODE_ENV: 'production' }, { NODE_ENV: 'tests' }])(
  'all settings that are unfit for production are rejected at once: %o',
  (env) => {
    const read = () => readEnv(guarded, { DOOR: 'hunter2', KEY: zeros, ...env });
    for (const name of ['BASE_URL', 'DOOR', 'KEY', 'NODE_ENV']) expect(read).toThrow(name);
    expect(read).not.toThrow(/hunter2|AAAA/);
    expect(() => readEnv(guarded, { DOOR: 'open', ...env })).toThrow(/KEY: .*DOOR: /);
  },
);

test('development and tests accept it', () => {
  for (const NODE_ENV of ['development', 'test']) {
    expect(readEnv(guarded, { DOOR: 'open', KEY: zeros, NODE_ENV })).toEqual({ BASE_URL: 'http://127.0.0.1', DOOR: ['open'], KEY: zeros });
  }
});

test('settings that do not fit together are listed with those that are unfit for production', () => {
  const read = () => readEnv(guarded, { KEY: zeros }, [() => ['A and B: go together']]);
  expect(read).toThrow(/A and B: go together; BASE_URL: .*KEY: /);
});

test('settings that do not fit together are listed with other invalid ones, unless they are invalid themselves', () => {
  const two = { A: setting.integer(1), B: setting.list(['b']) };
  const checks = [({ A }: { A: number }) => [`A: is ${A}`], ({ B }: { B: string[] }) => [`B: has ${B.length}`]];
  expect(() => readEnv(two, { A: 'x' }, checks)).toThrow(/^The configuration is invalid\. A: [^;]+; B: has 1$/);
});
