import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePorts, startService, waitReady } from '@fanfare/infra';
import { PUBLIC_BASE_URL } from './start-library.ts';

const READY_MS = 240_000;

/**
 * Starts the library in a process of its own, which the test kills.
 * @throws Error with the end of its log, if it does not start
 */
export async function aLibraryProcess(
  env: Record<string, string>,
): Promise<{ origin: string; grpcPort: number; pid: number; kill(): Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'fanfare-test-'));
  const [http = 0, grpc = 0, admin = 0] = await freePorts(3);
  const child = startService({
    name: 'library',
    entry: 'apps/library/src/main.ts',
    logFile: path.join(folder, 'library.log'),
    env: {
      NODE_ENV: 'test',
      LOG_LEVEL: 'warn',
      HTTP_ADDRESS: `127.0.0.1:${http}`,
      GRPC_ADDRESS: `127.0.0.1:${grpc}`,
      ADMIN_ADDRESS: `127.0.0.1:${admin}`,
      PUBLIC_BASE_URL,
      INTERNAL_BASE_URL: 'http://127.0.0.9',
      MEDIA_URL_SECRET: `t1:${Buffer.alloc(32, 7).toString('base64')}`,
      ...env,
    },
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await child.exited;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await waitReady(`http://127.0.0.1:${admin}`, { timeoutMs: READY_MS, process: child });
  } catch (error) {
    await kill();
    throw error;
  }
  return { origin: `http://127.0.0.1:${http}`, grpcPort: grpc, pid: child.pid, kill };
}
