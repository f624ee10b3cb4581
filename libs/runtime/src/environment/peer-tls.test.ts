import { rpcEnv } from './service-env.ts';
import { peerTlsProblems } from './peer-tls.ts';
import { readEnv, setting } from './read-env.ts';

/** At the start it only matters that they can be read. */
const file = import.meta.filename;
const files = { TLS_CERT_FILE: file, TLS_KEY_FILE: file, TLS_CA_FILE: file };
const shape = {
  ...rpcEnv(['gateway']),
  GRPC_ADDRESS: setting.address('127.0.0.1:0'),
  LIBRARY_ADDRESS: setting.address('127.0.0.1:0'),
  LIBRARY_HTTP_URL: setting.url('http://127.0.0.1:1'),
};
const read = (env: Record<string, string>) =>
  readEnv(shape, env, [
    ({ GRPC_ADDRESS, LIBRARY_ADDRESS, LIBRARY_HTTP_URL, ...read }) =>
      peerTlsProblems(read, { listening: { GRPC_ADDRESS }, calling: { LIBRARY_ADDRESS, LIBRARY_HTTP_URL } }),
  ]);

test.each(['0.0.0.0:4411', '[::]:4411', '10.0.0.7:4411', 'content:4411', '127.evil.example:1'])(
  '%s is rejected as a listen address without certificates',
  (GRPC_ADDRESS) => {
    for (const NODE_ENV of ['production', 'development', 'test']) expect(() => read({ GRPC_ADDRESS, NODE_ENV })).toThrow('GRPC_ADDRESS: ');
    expect(read({ GRPC_ADDRESS, ...files })).toMatchObject({ TLS_PEERS: ['gateway'], GRPC_REFLECTION: 'false' });
  },
);

test.each(['127.0.0.1:0', 'localhost:4411', '[::1]:4411'])('%s is accepted as a listen address', (GRPC_ADDRESS) => {
  expect(read({ GRPC_ADDRESS }).TLS_CERT_FILE).toBeUndefined();
});

test.each(['http://127.0.0.9', 'http://localhost:4422', 'http://[::1]', 'http://[::1]:4422/'])(
  '%s is accepted as an address to call',
  (LIBRARY_HTTP_URL) => {
    expect(read({ LIBRARY_HTTP_URL }).TLS_CERT_FILE).toBeUndefined();
  },
);

test.each([
  ['LIBRARY_ADDRESS', 'library:4421'],
  ['LIBRARY_ADDRESS', '10.0.0.7:4421'],
  ['LIBRARY_HTTP_URL', 'http://library:4422'],
  ['LIBRARY_HTTP_URL', 'http://10.0.0.7'],
])('%s %s is rejected as an address to call without certificates', (name, address) => {
  expect(() => read({ [name]: address })).toThrow(`${name}: is on another machine and requires TLS_CERT_FILE`);
  expect(read({ [name]: address, ...files })).toMatchObject({ [name]: address });
});

test('certificates that cannot be read are listed, each by its setting', () => {
  expect(() => read({ ...files, TLS_CERT_FILE: '/no/cert', TLS_CA_FILE: '/no/ca' })).toThrow(
    /TLS_CERT_FILE: cannot be read.*TLS_CA_FILE: cannot/s,
  );
});

test('certificate, key and CA must be set together', () => {
  for (const name of Object.keys(files)) expect(() => read({ GRPC_ADDRESS: '127.0.0.1:0', ...files, [name]: '' })).toThrow('TLS_CERT_FILE');
});
