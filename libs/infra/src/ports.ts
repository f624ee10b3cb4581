import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Wanted } from './infra.ts';

/**
 * Ports of 127.0.0.1 that nothing listens on, and that no other caller gets while this process runs. They are below the range that systems use for
 * outgoing connections (Linux: from 32768), so that none is lost to one before it is used.
 */
export async function freePorts(count: number): Promise<number[]> {
  const found: number[] = [];
  while (found.length < count) {
    const port = randomInt(20_000, 32_768);
    if ((await isFree(port)) && (await isReserved(port))) found.push(port);
  }
  return found;
}

/**
 * @param purpose what needs the port, for the message: `MongoDB`
 * @param setting the environment variable that selects another port
 * @throws Error one sentence with the port and what to do
 */
export async function assertPortFree(port: number, purpose: string, setting?: string): Promise<void> {
  if (await isFree(port)) return;
  const elsewhere = setting ? `set ${setting} to another port (npm start -- --port-offset N moves all ports)` : 'choose another port';
  throw new Error(
    `Port ${port}, which ${purpose} needs, is in use. Stop the program that listens there (\`lsof -i :${port}\` shows it), or ${elsewhere}.`,
  );
}

/** The problem with an offset that moves a port beyond the highest one. */
export function beyondLastPort(port: number, offset: number, purpose: string): string {
  return `--port-offset ${offset} moves ${purpose} from port ${port} to ${port + offset}, but the highest port is 65535. Choose a smaller offset.`;
}

/** {@link assertPortFree} for both servers that are to be started. */
export async function assertPortsFree({ mongoPort, kafkaPort }: Pick<Wanted, 'mongoPort' | 'kafkaPort'>): Promise<void> {
  if (mongoPort) await assertPortFree(mongoPort, 'MongoDB', 'FANFARE_MONGO_PORT');
  if (kafkaPort) await assertPortFree(kafkaPort, 'Kafka', 'FANFARE_KAFKA_PORT');
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(false);
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * Reserves a port among all processes: by a socket that has a name and no file, which the system closes when this process ends. On systems without
 * such sockets, two processes can choose the same port by chance.
 */
function isReserved(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    server.listen(`\0fanfare-port-${port}`, () => resolve(true));
    server.unref();
  });
}
