import type { SimulatedName } from '../platforms/platform.ts';
import type { FaultKind, FaultRequest } from './fault.ts';
import { globMatches } from './glob.ts';

/** One request that a fault keeps waiting. */
export interface Held {
  /** True: released. False: the client disconnected. */
  done: Promise<boolean>;
  leave(): void;
}

interface Entry {
  id: string;
  request: FaultRequest;
  /** Calls that matched and passed, because the fault begins after them. */
  passed: number;
  fired: number;
  waiting: Set<(released: boolean) => void>;
}

export type FaultTable = ReturnType<typeof createFaultTable>;

export function createFaultTable() {
  let counter = 0;
  const entries = new Map<string, Entry>();
  const release = (entry: Entry) => {
    for (const letGo of [...entry.waiting]) letGo(true);
  };
  return {
    add(request: FaultRequest) {
      const entry: Entry = { id: `fault-${++counter}`, request, passed: 0, fired: 0, waiting: new Set() };
      entries.set(entry.id, entry);
      return describe(entry);
    },

    /** The oldest fault that is meant for this call and has not fired often enough; counts it as fired. */
    take(call: { platform: SimulatedName | null; operation: string | null; method: string; path: string }) {
      const entry = [...entries.values()].find((one) => isMeantFor(one, call) && hasCome(one));
      if (!entry) return null;
      entry.fired++;
      return { kind: entry.request.fault satisfies FaultKind, hold: (ms?: number) => hold(entry, ms) };
    },

    list: () => [...entries.values()].map(describe),
    get: (id: string) => (entries.has(id) ? describe(entries.get(id)!) : null),

    release(id: string): boolean {
      const entry = entries.get(id);
      if (entry) release(entry);
      return entry !== undefined;
    },

    remove(id: string): boolean {
      const entry = entries.get(id);
      if (entry) release(entry);
      return entries.delete(id);
    },

    clear() {
      for (const entry of entries.values()) release(entry);
      entries.clear();
    },
  };
}

function describe(entry: Entry) {
  return { id: entry.id, ...entry.request, fired: entry.fired, holding: entry.waiting.size > 0, held: entry.waiting.size };
}

/** Whether a fault that matches a call applies to it; counts the calls that pass first. */
function hasCome(entry: Entry): boolean {
  const { after, times } = entry.request;
  if (entry.passed < after) {
    entry.passed++;
    return false;
  }
  return times === null || entry.fired < times;
}

function isMeantFor(
  { request }: Entry,
  call: { platform: SimulatedName | null; operation: string | null; method: string; path: string },
): boolean {
  if (typeof request.call === 'string') return request.call === call.operation;
  if (request.platform !== call.platform) return false;
  return (request.call.method ?? call.method) === call.method && globMatches(request.call.path, call.path);
}

function hold(entry: Entry, ms?: number): Held {
  let resolveDone = (_released: boolean) => {};
  const done = new Promise<boolean>((resolve) => (resolveDone = resolve));
  const timer = ms === undefined ? null : setTimeout(() => end(true), ms);
  const end = (released: boolean) => {
    if (timer) clearTimeout(timer);
    entry.waiting.delete(end);
    resolveDone(released);
  };
  entry.waiting.add(end);
  return { done, leave: () => end(false) };
}
