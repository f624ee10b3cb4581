import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { eventually } from '@fanfare/testing';

/** Starts the library in a process of its own, which the test kills. */
export async function aLibraryProcess(
  env: Record<string, string>,
): Promise<{ origin: string; grpcPort: number; pid: number; kill(): Promise<void> }> {
  const [http, grpc, admin] = [await freePort(), await freePort(), await freePort()];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, '../src/main.ts')], {
    env: {
      NODE_ENV: 'test',
      PATH: process.env.PATH ?? '',
      LOG_LEVEL: 'silent',
      HTTP_ADDRESS: `127.0.0.1:${http}`,
      GRPC_ADDRESS: `127.0.0.1:${grpc}`,
      ADMIN_ADDRESS: `127.0.0.1:${admin}`,
      ...env,
    },
    stdio: 'ignore',
  });
  await eventually(async () => (await fetch(`http://127.0.0.1:${admin}/readyz`)).ok);
  return { origin: `http://127.0.0.1:${http}`, grpcPort: grpc, pid: child.pid ?? 0, kill: () => kill(child) };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
