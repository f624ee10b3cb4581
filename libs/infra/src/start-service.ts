import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { workspaceRoot } from './workspace-root.ts';

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Does nothing when the process has ended. */
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL for it and its children when it still runs after the limit; waits for the end. */
  stop(timeoutMs: number): Promise<void>;
}

export interface ServiceOptions {
  readonly name: string;
  /** From the workspace's root: `apps/content/dist/main.mjs`. A `tracing.mjs` beside it is loaded before it. */
  readonly entry: string;
  /** Added to this process's own environment. */
  readonly env: Record<string, string>;
  /** Appended to. */
  readonly logFile: string;
  readonly nodeArgs?: string[];
}

/**
 * Runs one of our built services by this process's own Node. It is in a session of its own, so that Ctrl-C in the terminal leaves the order of
 * stopping to us, and has an IPC channel whose end tells it that we are gone.
 * @throws Error when the entry is not there
 */
export function startService({ name, entry, env, logFile, nodeArgs = [] }: ServiceOptions): ServiceProcess {
  const main = path.resolve(workspaceRoot, entry);
  if (!existsSync(main)) throw new Error(`${name} is not built: there is no ${main}. Run: npm run build`);
  const tracing = path.join(path.dirname(main), 'tracing.mjs');
  const preload = existsSync(tracing) ? ['--import', pathToFileURL(tracing).href] : [];
  // Options for our Node (a debugger's port, a test runner's loader) are not the child's.
  const { NODE_OPTIONS: _ours, ...inherited } = process.env;

  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, ['--enable-source-maps', ...preload, ...nodeArgs, main], {
    cwd: workspaceRoot,
    env: { ...inherited, ...env },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} cannot be started: ${process.execPath} does not run.`);

  let ended = false;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  const send = (target: number, signal: NodeJS.Signals) => {
    if (!ended) process.kill(target, signal);
  };
  const stop = async (timeoutMs: number) => {
    send(pid, 'SIGTERM');
    const kill = setTimeout(() => send(-pid, 'SIGKILL'), timeoutMs);
    await exited;
    clearTimeout(kill);
  };
  return { name, pid, logFile, exited, kill: (signal) => send(pid, signal), stop };
}
