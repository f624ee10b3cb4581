import { invalidParameter } from '../graph/errors.ts';

/** The names in `metric`. A name that is unknown or no longer supported fails the call; the message contains its place in the list. */
export function metricsOf(metric: string | undefined, known: readonly string[]): string[] {
  if (!metric) throw invalidParameter('The parameter metric is required');
  const names = metric.split(',');
  const wrong = names.findIndex((name) => !known.includes(name));
  if (wrong >= 0) throw invalidParameter(`metric[${wrong}] must be one of the following values: ${known.join(', ')}`);
  return [...new Set(names)];
}
