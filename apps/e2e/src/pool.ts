import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { MoreSettings, OwnProcesses, Processes } from './processes.ts';

// Test files run in worker processes that start and end. The main process starts the platforms that they share, lends each
// platform to one file at a time, and stops them at the end. A file that dies with a platform keeps it.

/**
 * Settings of all borrowed platforms: tests that need others start a platform of their own. Settle times and pauses are short, deadlines are not,
 * because tests run on busy machines.
 */
const SETTINGS: MoreSettings = { publisher: { TIME_SCALE: '0.1' }, gateway: { SIGN_UP: 'open' } };
const ADDRESS = 'FANFARE_TEST_PLATFORMS';
/** Idle processes look for work, which costs as much in some minutes as starting them. After this time without a file that needs it, a platform ends. */
const IDLE_MS = 60_000;

type Method = 'kill' | 'start' | 'terminate' | 'signal' | 'add' | 'giveBack';
interface Call {
  readonly id: number;
  readonly method: Method;
  readonly args: readonly unknown[];
}
type Lent = Pick<Processes, 'ports' | 'settings' | 'logs'> & { readonly id: number };

/** Starts lending, to this process and to those that it starts from now on. */
export async function startPool(): Promise<{ stop(): Promise<void> }> {
  const all: OwnProcesses[] = [];
  const free: { readonly processes: OwnProcesses; readonly retiring: NodeJS.Timeout }[] = [];
  const retired = new Map<OwnProcesses, Promise<void>>();
  /** One after the other: together they would only delay each other. */
  let starting: Promise<unknown> = Promise.resolve();
  const startAnother = async () => {
    // Most test runs need no platform.
    const { startProcesses } = await import('./processes.ts');
    const next = starting.then(() => startProcesses(SETTINGS));
    starting = next.catch(() => undefined);
    const processes = await next;
    all.push(processes);
    return processes;
  };
  const take = async (): Promise<OwnProcesses> => {
    const one = free.pop();
    if (one) {
      clearTimeout(one.retiring);
      return one.processes;
    }
    return startAnother();
  };
  const retire = (processes: OwnProcesses) => {
    const at = free.findIndex((one) => one.processes === processes);
    free.splice(at, 1);
    const stopping = processes.stop();
    // Awaited, and thrown, at the end of the run.
    stopping.catch(() => undefined);
    retired.set(processes, stopping);
  };
  const lend = async (): Promise<Lent> => {
    const processes = await take();
    const { ports, settings, logs } = processes;
    return { id: all.indexOf(processes), ports, settings, logs };
  };
  const carryOut = async ({ id, method, args }: Call): Promise<unknown> => {
    const processes = all[id];
    if (!processes) throw new Error(`There is no platform ${id}.`);
    if (method !== 'giveBack') return (processes[method] as (...args: readonly unknown[]) => unknown)(...args);
    try {
      return await processes.restore();
    } finally {
      free.push({ processes, retiring: setTimeout(() => retire(processes), IDLE_MS) });
    }
  };
  const server: Server = createServer((request, response) => {
    void (async () => {
      try {
        const result = request.url === '/lend' ? await lend() : await carryOut((await json(request)) as Call);
        response.end(JSON.stringify(result ?? null));
      } catch (error) {
        response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
      }
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env[ADDRESS] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    async stop() {
      server.closeAllConnections();
      server.close();
      for (const { retiring } of free) clearTimeout(retiring);
      await Promise.all(all.map((processes) => retired.get(processes) ?? processes.stop()));
    },
  };
}

/** A platform that is free, or a new one. `stop` returns it to the pool. */
export async function borrowProcesses(): Promise<Processes> {
  const { id, ...lent } = (await callPool('/lend')) as Lent;
  const call = async <T>(method: Method, ...args: readonly unknown[]) => (await callPool('/call', { id, method, args })) as T;
  return {
    ...lent,
    kill: (name) => call('kill', name),
    start: (name, settings) => call('start', name, settings),
    terminate: (name) => call('terminate', name),
    signal: (name, signal) => call('signal', name, signal),
    add: (service, settings) => call('add', service, settings),
    stop: () => call('giveBack'),
  };
}

async function callPool(path: string, call?: Call): Promise<unknown> {
  const response = await fetch(`${process.env[ADDRESS]}${path}`, { method: 'POST', ...(call && { body: JSON.stringify(call) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return JSON.parse(text);
}
