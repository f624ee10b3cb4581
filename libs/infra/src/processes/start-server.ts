import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Started } from '../infra.ts';
import { lastErrors } from './last-lines.ts';
import { STOP_LIMIT_MS } from './pids.ts';
import { pidFileOf } from './run-dir.ts';

export interface ServerOptions {
  /** `mongod`: the name of its log and pid file. */
  readonly name: string;
  readonly program: string;
  /** Must contain the run directory, by which the process is recognized if it outlives us. */
  readonly args: string[];
  readonly runDir: string;
  readonly keepData: boolean;
  /** Resolves when the server serves; gives up on the signal. */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * Starts a server and waits until it is ready. It runs in its own session, so that Ctrl-C in the terminal does not end it before the services that
 * use it. If this process is killed, the server gets SIGTERM (Linux), or is found by its pid file at the next start.
 * @throws Error with the last lines of its log, if it ends before it is ready
 */
export async function startServer({ name, program, args, runDir, keepData, ready }: ServerOptions): Promise<Started> {
  const logFile = path.join(runDir, `${name}.log`);
  const log = await open(logFile, 'w');
  const [command = program, ...rest] = [...diesWithParent, program, ...args];
  const child = spawn(command, rest, { detached: true, stdio: ['ignore', log.fd, log.fd], cwd: runDir });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  exited.catch(() => {}); // Handled below, if it matters.
  try {
    await once(child, 'spawn');
  } finally {
    await log.close();
  }
  await writeFile(pidFileOf(runDir, name), String(child.pid));

  const stop = async () => {
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    await exited;
    clearTimeout(kill);
    await rm(pidFileOf(runDir, name), { force: true });
  };
  const endedEarly = exited.then(async ([code, signal]) => {
    const remedy = keepData
      ? ` If its data was written by another version or is damaged, start with --fresh, which drops it: ${runDir}`
      : '';
    throw new Error(`${name} ended while it started (${signal ?? `exit code ${code}`}).${remedy}\n${await lastErrors(logFile, 6)}`);
  });
  const abandoned = new AbortController();
  try {
    await Promise.race([ready(abandoned.signal), endedEarly]);
  } catch (error) {
    abandoned.abort();
    await stop();
    throw error;
  }
  endedEarly.catch(() => {});
  return { stop };
}

/**
 * Makes the kernel signal the server when this process ends in any way. Part of util-linux, so available on every Linux except the smallest images.
 */
const setpriv = ['/usr/bin/setpriv', '/bin/setpriv'].find((file) => existsSync(file));
const diesWithParent = process.platform === 'linux' && setpriv ? [setpriv, '--pdeathsig', 'TERM', '--'] : [];
