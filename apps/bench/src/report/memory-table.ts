import type { BeforeAndAfter, Soak } from '../sections/soak.ts';
import { table } from './table.ts';

const PROCESS_MB = 130;
const WHOLE_MB = 1400;
const INFRASTRUCTURE = ['mongod', 'kafka'];
/** Memory is flat if it grew by no more than this: a heap is never collected to exactly the same size. */
const FLAT = 1.1;

type Memory = Readonly<Record<string, number>>;

export function memoryTable(idleMb: Memory): string {
  const whole = Object.values(idleMb).reduce((sum, mb) => sum + mb, 0);
  const line = (name: string, mb: number, target: number | undefined) => [
    name,
    `${mb} MB${target !== undefined && mb > target ? ' ✗' : ''}`,
    target === undefined ? '' : `≤ ${target} MB`,
  ];
  const processes = Object.entries(idleMb).map(([name, mb]) => line(name, mb, INFRASTRUCTURE.includes(name) ? undefined : PROCESS_MB));
  return table([['memory, idle', '', 'target'], ...processes, line('all of them', whole, WHOLE_MB)]);
}

/** What remains after load; a heap grows to its usual size. */
export function loadMemoryTable({ before, after }: { before: Memory; after: Memory }): string {
  const processes = Object.entries(after).map(([name, mb]) => [name, `${before[name] ?? 0} MB`, `${mb} MB`]);
  return table([['memory, before and after the load', 'before', 'after'], ...processes]);
}

export function soakTable({ requests, seconds, heapMb, residentMb }: Soak): string {
  const columns = (name: string, { before, after }: BeforeAndAfter): string[] => {
    const [first, last] = [before[name], after[name]];
    if (first === undefined || last === undefined) return ['', ''];
    const grew = last > first * FLAT && !INFRASTRUCTURE.includes(name);
    return [`${first} MB`, `${last} MB${grew ? ' ✗' : ''}`];
  };
  const title = `memory over ${requests} requests in ${seconds.toFixed(0)} s`;
  const processes = Object.keys(residentMb.after).map((name) => [name, ...columns(name, heapMb), ...columns(name, residentMb)]);
  return table([[title, 'heap, first quarter', 'last quarter', 'resident, halfway', 'at the end'], ...processes]);
}
