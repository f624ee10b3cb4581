import { DomainError } from '@fanfare/errors';

/** A query that was read, or its validation problem, which is reported together with the problems of the body. */
type Query = { readonly value: Record<string, unknown>; readonly problem?: DomainError };

/**
 * Reads the query. A validation problem is returned rather than thrown if a body follows, so that the error can list the problems of both.
 * @param isBodyRead whether the body is read next
 * @throws DomainError every other problem of the query
 */
export function postponed(read: () => Record<string, unknown>, isBodyRead: boolean): Query {
  try {
    return { value: read() };
  } catch (error) {
    if (!isMisshapen(error) || !isBodyRead) throw error;
    return { value: {}, problem: error };
  }
}

/** @throws DomainError validation_failed that lists the problems of query and body */
export function allProblems<T>(problem: DomainError | undefined, readBody: () => T): T {
  if (!problem) return readBody();
  try {
    readBody();
  } catch (error) {
    if (!isMisshapen(error)) throw problem;
    const errors = [...problem.errors, ...error.errors];
    throw new DomainError('validation_failed', `${problem.detail} ${error.detail}`, { param: problem.param, errors });
  }
  throw problem;
}

const isMisshapen = (error: unknown): error is DomainError => error instanceof DomainError && error.code === 'validation_failed';
