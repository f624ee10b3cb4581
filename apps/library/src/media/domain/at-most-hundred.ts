import { DomainError } from '@fanfare/errors';

/** The bound of every batch. */
export function atMostHundred(list: readonly unknown[], param: string): void {
  if (list.length > 100) throw new DomainError('invalid_value', 'Request at most 100 media at a time.', { param });
}
