import { DomainError, type ErrorCode, type FieldError } from '@fanfare/errors';
import { ReplayableProblem } from './replayable-problem.ts';

/** A complete response. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** SHA-256 of a body that was streamed. */
  readonly digest?: string;
}

/** The outcome of a request. An error is stored without its request id, so that each repeat gets it with its own. */
export type Outcome = { readonly response: StoredResponse } | { readonly problem: DomainError };

/** Sealed and in base64, it stays well below the 16 MiB of a document. */
const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
const MAX_PROBLEM_BYTES = 256 * 1024;

/** The stored form; its field `answer` is the response. */
interface Written {
  readonly answer?: StoredResponse;
  readonly problem?: { code: ErrorCode; detail: string; param?: string; errors: readonly FieldError[]; members: Record<string, string> };
}

/** The text to store for repeats; undefined if a repeat runs the work again, with the same ids, so that nothing happens twice. */
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
