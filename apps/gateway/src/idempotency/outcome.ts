import { DomainError, ERROR_TABLE, type ErrorCode, type FieldError } from '@fanfare/errors';

/** An answer as it goes over the wire. */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** SHA-256 of a body that was streamed. */
  readonly digest?: string;
}

/** How a change ended. A problem is kept as what it says, so that each repeat gets it with a request id of its own. */
export type Outcome = { readonly answer: StoredAnswer } | { readonly problem: DomainError };

/** These may be otherwise the next time: a new credential, another role, a later minute. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 429]);

/** Whether a repeat would end in the same way. */
export function isFinal(outcome: Outcome): boolean {
  if ('answer' in outcome) return true;
  const { httpStatus } = ERROR_TABLE[outcome.problem.code];
  return httpStatus < 500 && !PASSING.has(httpStatus);
}

interface Written {
  readonly answer?: StoredAnswer;
  readonly problem?: { code: ErrorCode; detail: string; param?: string; errors: readonly FieldError[]; members: Record<string, string> };
}

export function writeOutcome(outcome: Outcome): string {
  if ('answer' in outcome) return JSON.stringify(outcome satisfies Written);
  const { code, detail, param, errors, members } = outcome.problem;
  return JSON.stringify({ problem: { code, detail, ...(param !== undefined && { param }), errors, members } } satisfies Written);
}

export function readOutcome(text: string): Outcome {
  const { answer, problem } = JSON.parse(text) as Written;
  if (answer) return { answer };
  if (problem) return { problem: new DomainError(problem.code, problem.detail, problem) };
  throw new Error('An idempotency record holds neither an answer nor a problem.');
}
