import { DomainError, type ErrorCode, type FieldError } from '@fanfare/errors';
import { ReplayableProblem } from './replayable-problem.ts';

/** An answer as it goes over the wire. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** SHA-256 of a body that was streamed. */
  readonly digest?: string;
}

/** How a change ended. A problem is kept as what it says, so that each repeat gets it with a request id of its own. */
export type Outcome = { readonly response: StoredResponse } | { readonly problem: DomainError };

/** Sealed and written in base64, well within the 16 MiB of a document. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_PROBLEM_BYTES = 256 * 1024;

/** As it is stored, where a response is called an answer. */
interface Written {
  readonly answer?: StoredResponse;
  readonly problem?: { code: ErrorCode; detail: string; param?: string; errors: readonly FieldError[]; members: Record<string, string> };
}

/** What is kept for repeats; undefined where a repeat is to try anew, which does no work twice, because it has the same ids. */
export function writeOutcome(outcome: Outcome): string | undefined {
  if ('response' in outcome) return within(MAX_RESPONSE_BYTES, { answer: outcome.response });
  if (!(outcome.problem instanceof ReplayableProblem)) return undefined;
  const { code, detail, param, errors, members } = outcome.problem;
  return within(MAX_PROBLEM_BYTES, { problem: { code, detail, ...(param !== undefined && { param }), errors, members } });
}

function within(maxBytes: number, written: Written): string | undefined {
  const text = JSON.stringify(written);
  return Buffer.byteLength(text) <= maxBytes ? text : undefined;
}

export function readOutcome(text: string): Outcome {
  const { answer, problem } = JSON.parse(text) as Written;
  if (answer) return { response: answer };
  if (problem) return { problem: new DomainError(problem.code, problem.detail, problem) };
  throw new Error('An idempotency record contains neither a response nor a problem.');
}
