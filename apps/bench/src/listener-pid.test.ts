import { createServer, type AddressInfo } from 'node:net';
import { listenerPid } from './listener-pid.ts';

test('finds the process that listens on a port, and none on a free port', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  expect(await listenerPid(port)).toBe(process.pid);
  await new Promise((resolve) => server.close(resolve));
  expect(await listenerPid(port)).toBeUndefined();
});
