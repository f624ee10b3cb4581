import { ERROR_TABLE, type DomainError } from '@fanfare/errors';
import type { Config } from '../../config.ts';
import type { StoredResponse } from '../idempotency/outcome.ts';
import { plainPage } from './page.ts';

/** An error as a page for people who do not know the API. */
export const problemPage = (config: Config, error: DomainError, requestId: string): StoredResponse =>
  plainPage(config, ERROR_TABLE[error.code].httpStatus, ...wordsFor(error, requestId));

function wordsFor({ code, detail, retryAfterSeconds }: DomainError, requestId: string): [title: string, ...paragraphs: string[]] {
  switch (code) {
    case 'resource_not_found':
      return ['Page not found', 'This page does not exist. Check the address, or go back to the page with the link.'];
    case 'rate_limit_exceeded':
      return [
        'Too many requests',
        `There were too many requests from your network in a short time. Wait ${waiting(retryAfterSeconds)}, then reload this page.`,
      ];
    case 'internal_error':
      return [
        'Something went wrong on our side',
        'Reload this page in a minute.',
        `If the problem persists, contact the operator of this service and quote ${requestId}.`,
      ];
    default:
      return ['Something went wrong', detail, 'Go back and try again.'];
  }
}

/** A wait in words. */
export function waiting(seconds = 60): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return minutes <= 1 ? 'a minute' : `${minutes} minutes`;
  const hours = Math.ceil(minutes / 60);
  return hours === 1 ? 'an hour' : `${hours} hours`;
}
