import { InvalidArgumentError } from 'commander';

/** A count of 32 bits. */
export function count(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 0 || number > 2 ** 31 - 1) throw new InvalidArgumentError('It must be a whole number from 0.');
  return number;
}

/** How many rows a list shows. */
export function pageSize(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 100) throw new InvalidArgumentError('It must be a whole number from 1 to 100.');
  return number;
}

/** A count that may exceed 32 bits. */
export function largeCount(value: string): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < 0) throw new InvalidArgumentError('It must be a whole number from 0.');
  return number;
}
