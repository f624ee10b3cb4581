import type { Processes } from './process-usage.ts';

// What the other processes do while they wait is not part of a request's cost.

export const reading = (processes: Processes) => only(processes, ['gateway', 'content', 'mongod']);

export const readingStats = (processes: Processes) => only(processes, ['gateway', 'analytics', 'mongod']);

/** The event of each write reaches Kafka and its consumers. */
export const writing = (processes: Processes) => only(processes, ['gateway', 'content', 'publisher', 'webhooks', 'mongod', 'kafka']);

function only(processes: Processes, names: readonly string[]): Processes {
  return Object.fromEntries(Object.entries(processes).filter(([name]) => names.includes(name)));
}
