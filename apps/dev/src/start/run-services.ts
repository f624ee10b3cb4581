import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startService, waitReady, type ServiceProcess } from '@fanfare/infra';
import type { ServiceSpec } from '@fanfare/stack/service-specs';
import { dataDir, workspaceRoot } from '../workspace.ts';

export interface RunningServices {
  readonly processes: ServiceProcess[];
  /** Rejects with a message for the user when a service ends unexpectedly; never resolves. */
  readonly died: Promise<never>;
  /** Resolves when every service is ready. */
  ready(): Promise<void>;
  /** In the opposite order of starting, one after the other. */
  stop(): Promise<void>;
  kill(): void;
}

const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 15_000;
export function runServices(specs: ServiceSpec[]): RunningServices {
  let stopping = false;
  const { promise: died, reject } = Promise.withResolvers<never>();
  died.catch(() => {}); // Handled by the code that waits for it.

  const processes: ServiceProcess[] = [];
  for (const { name, env } of specs) {
    const logFile = path.join(dataDir, 'logs', `${name}.log`);
    const service = startService({
      name,
      entry: `apps/${name}/start.sh`,
      env,
      logFile,
    });
    processes.push(service);
    void service.exited.then(({ code, signal }) => {
      if (!stopping) reject(new Error(stoppedMessage(service, signal ?? `exit code ${code}`)));
    });
  }

  return {
    processes,
    died,
    async ready() {
      const all = specs.map(({ adminUrl }, at) =>
        waitReady(adminUrl, { timeoutMs: READY_LIMIT_MS, process: processes[at] as ServiceProcess }),
      );
      await Promise.race([Promise.all(all), died]);
    },
    async stop() {
      stopping = true;
      for (const service of processes.toReversed()) await service.stop(STOP_LIMIT_MS);
    },
    kill() {
      stopping = true;
      for (const service of processes) service.kill('SIGKILL');
    },
  };
}

function stoppedMessage({ name, logFile }: ServiceProcess, how: string): string {
  const shown = path.relative(workspaceRoot, logFile);
  return `The service ${name} stopped unexpectedly (${how}), so Fanfare stops. The end of its log, ${shown}:\n${lastLogLines(logFile, 6)}`;
}

/** Log lines in readable form: level, message, error. */
function lastLogLines(file: string, count: number): string {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count);
  return lines.map((line) => `    ${readable(line).slice(0, 300)}`).join('\n');
}

function readable(line: string): string {
  try {
    const { time, level, msg, err } = JSON.parse(line) as { time?: string; level?: string; msg?: string; err?: { message?: string } };
    return [time, level, msg, err?.message === undefined || msg?.includes(err.message) ? '' : `(${err.message})`].filter(Boolean).join(' ');
  } catch {
    return line;
  }
}
