import { createLogger, type Logger } from '@fanfare/runtime';

/** A logger like every process's own, and its lines, parsed. */
export function recordLog(): { log: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger('test', 'trace', { write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines };
}
