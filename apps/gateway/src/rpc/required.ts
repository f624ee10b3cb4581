import { DomainError } from '@fanfare/errors';

/** @throws DomainError missing_field when the text is empty or blank */
export function required(param: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new DomainError('missing_field', `${param} is required.`, { param });
  return trimmed;
}
