import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync, closeSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from '../workspace-root.ts';

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  readonly logFile: string;
  /** Never rejects. */
  readonly exited: Promise<{ code: number | null; signal: string | null }>;
  /** Does nothing if the process has ended. */
  kill(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL for it and its children if it still runs after the limit; waits for the end. */
  stop(timeoutMs: number): Promise<void>;
}

interface ServiceOptions {
  readonly name: string;
  /** Relative to the workspace's root: an app's start script (`apps/content/start.sh`), or a module that Node runs unchanged. */
  readonly entry: string;
  /** Added to this process's own environment. */
  readonly env: Record<string, string>;
  /** Appended to. */
  readonly logFile: string;
  readonly nodeArgs?: string[];
  /** Whether this process may end while it runs; it ends then too. Default: false. */
  readonly inBackground?: boolean;
}

/**
 * Runs one of our built services with this process's own Node. It is in its own session, so that Ctrl-C in the terminal leaves the order of stopping
 * to us, and has an IPC channel whose end shows it that this process has ended.
 * @throws Error if the entry does not exist
 */
export function startService({ name, entry, env, logFile, nodeArgs = [], inBackground = false }: ServiceOptions): ServiceProcess {
  const start = path.resolve(workspaceRoot, entry);
  const isScript = start.endsWith('.sh');
  const main = isScript ? path.join(path.dirname(start), 'dist/main.mjs') : start;
  if (!existsSync(main)) throw new Error(`${name} is not built: ${main} does not exist. Run npm run build.`);
  // Options of our Node (a debugger's port, a test runner's loader) do not apply to the child.
  const { NODE_OPTIONS: _ours, ...inherited } = process.env;

  mkdirSync(path.dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'a');
  const [command, args] = isScript ? [start, nodeArgs] : [process.execPath, [...nodeArgs, main]];
  const child = spawn(command, args, {
    cwd: workspaceRoot,
    // A script runs the first `node` on the PATH: ours.
    env: { ...inherited, PATH: [path.dirname(process.execPath), inherited['PATH']].join(path.delimiter), ...env },
    detached: true,
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${name}: ${process.execPath} does not run.`);
  if (inBackground) {
    child.unref();
    child.channel?.unref();
  }

  let ended = false;
  const exited = new Promise<{ code: number | null; signal: string | null }>((resolve) => {
    child.once('exit', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  const send = (target: number, signal: NodeJS.Signals) => {
    if (ended) return;
    try {
      process.kill(target, signal);
    } catch (error) {
      // It has ended, and Node has not reported it yet.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  const stop = async (timeoutMs: number) => {
    send(pid, 'SIGTERM');
    const kill = setTimeout(() => send(-pid, 'SIGKILL'), timeoutMs);
    await exited;
    clearTimeout(kill);
  };
  return { name, pid, logFile, exited, kill: (signal) => send(pid, signal), stop };
}
