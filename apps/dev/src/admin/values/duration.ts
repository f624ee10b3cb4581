import { InvalidArgumentError } from 'commander';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as 30m, 2h or 7d, in milliseconds. */
export function duration(value: string): number {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (amount === undefined) throw new InvalidArgumentError('It must be a duration such as 30m, 2h or 7d.');
  return Number(amount) * (UNITS[unit] ?? 0);
}
