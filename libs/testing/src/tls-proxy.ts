import { readFileSync } from 'node:fs';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';

/** A proxy in front of a server on 127.0.0.1. It accepts TLS from callers with a certificate of the CA, and forwards in plain text. */
export async function startTlsProxy(
  toPort: number,
  { certFile, keyFile, caFile }: { certFile: string; keyFile: string; caFile: string },
): Promise<{ readonly port: number; stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const files = { cert: readFileSync(certFile), key: readFileSync(keyFile), ca: readFileSync(caFile) };
  const server = createServer({ ...files, requestCert: true, rejectUnauthorized: true }, (caller) => {
    const inside = connect(toPort, '127.0.0.1');
    for (const [one, other] of [
      [caller, inside],
      [inside, caller],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
