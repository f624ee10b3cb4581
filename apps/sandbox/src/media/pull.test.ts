import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptPlainHttpFrom, pull } from './pull.ts';

test('media are fetched by plain HTTP from the origins that were set, and from no others', async () => {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('bytes'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // This machine, by an address that the sandbox does not count as its own.
  const origin = new URL(`http://[::ffff:127.0.0.1]:${(server.address() as AddressInfo).port}`).origin;
  try {
    expect(await pull(`${origin}/a.png`, 100)).toEqual({ ok: false, why: 'only https addresses are accepted' });
    acceptPlainHttpFrom([origin]);
    expect(await pull(`${origin}/a.png`, 100)).toMatchObject({ ok: true, contentType: 'image/png' });
    expect(await pull('http://gateway.example/a.png', 100)).toMatchObject({ ok: false });
  } finally {
    acceptPlainHttpFrom([]);
    server.close();
    server.closeAllConnections();
  }
});
