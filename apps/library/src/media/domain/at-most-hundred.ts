import { DomainError } from '@fanfare/errors';

/** Checks the size of a batch. @throws DomainError invalid_value */
export function atMostHundred(list: readonly unknown[], param: string): void {
  if (list.length > 100) throw new DomainError('invalid_value', 'Request at most 100 media at a time.', { param });
}
