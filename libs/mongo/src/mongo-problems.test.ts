import { mongoEnv, processEnv, readEnv } from '@fanfare/runtime';
import { mongoProblems } from './mongo-problems.ts';

const shape = { ...processEnv, ...mongoEnv('fanfare_test') };
const read = (env: Record<string, string>) => readEnv(shape, env, [mongoProblems]);

test.each([
  'mongodb://db.example.com/',
  'mongodb://user:p%40ss@db.example.com:27017/?replicaSet=rs0',
  'mongodb://127.0.0.1:27017,db.example.com:27017/',
  'mongodb://db.example.com/?tls=false',
  'mongodb+srv://cluster.example.com/?tls=false',
  'mongodb://127.0.0.1@db.example.com/',
  'mongodb://127.evil.example/',
  'mongodb+srv://cluster.example.com/?TLS=false',
  'mongodb+srv://cluster.example.com/?SSL=false',
  'mongodb://db.example.com/#?tls=true',
  'mongodb://localhost.evil.example/',
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
    expect(() => read({ MONGODB_URL })).toThrow('MONGODB_URL: has tlsInsecure or tlsAllowInvalid…, which accepts every server');
    expect(read({ MONGODB_URL, NODE_ENV: 'development' })).toMatchObject({ MONGODB_URL });
    expect(read({ MONGODB_URL: MONGODB_URL.replace(`${option}=true`, `${option}=false`) })).toBeDefined();
  },
);

test.each([
  'mongodb://127.0.0.1:27017/?replicaSet=rs0',
  'mongodb://u:p@localhost,[::1]:27018/admin',
  'mongodb://db.example.com/?replicaSet=rs0&tls=true',
  'mongodb://a:1,b:2/admin?ssl=true',
  'mongodb://db.example.com/?TLS=true',
  'mongodb+srv://cluster.example.com/',
])('production accepts %s', (MONGODB_URL) => {
  expect(read({ MONGODB_URL })).toMatchObject({ MONGODB_URL });
});

test.each(['mongodb://u:p@ss@db.example.com/', 'mongodb://db.example.com/?tls=maybe', 'mongodb://db.example.com/?tls=true&ssl=false'])(
  '%s is rejected everywhere, and not shown',
  (MONGODB_URL) => {
    const load = () => read({ MONGODB_URL, NODE_ENV: 'development' });
    expect(load).toThrow('MONGODB_URL: is not a connection string of MongoDB');
    expect(load).not.toThrow('db.example.com');
  },
);
