import type { FieldError, Problem } from './gen/types.gen.ts';

/**
 * Codes of errors that are not responses of the API: no readable response came, or none in time; the post to wait for is not being published;
 * or a webhook is not signed as it must be.
 */
export type LocalErrorCode = 'connection_failed' | 'timed_out' | 'unreadable_response' | 'not_publishing' | 'invalid_signature';

/** Every failed call is one of these, but for those that you abort: they reject with the reason of your signal. */
export class FanfareError extends Error {
  override readonly name = 'FanfareError';
  /** One of the API's codes (new ones may appear), or a LocalErrorCode. */
  readonly code: string;
  /** The HTTP status; undefined when there was no response. */
  readonly status: number | undefined;
  /** The offending parameter. */
  readonly param: string | undefined;
  /** Every problem of a body or a query that does not fit. */
  readonly errors: readonly FieldError[];
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** How long the API requires to wait. */
  readonly retryAfterSeconds: number | undefined;
  /** The whole body of the response. */
  readonly problem: Problem | undefined;

  constructor(
    message: string,
    { code, cause, problem, retryAfterSeconds, status }: Partial<FanfareError> & { code: string; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.param = problem?.param;
    this.errors = problem?.errors ?? [];
    this.requestId = problem?.request_id;
    this.retryAfterSeconds = retryAfterSeconds;
    this.problem = problem;
  }
}

/** Reads an error response. */
export async function errorOf(response: Response): Promise<FanfareError> {
  const { status, headers } = response;
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const common = { status, retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined };
  const problem = await readProblem(response);
  if (!problem)
    return new FanfareError(`The response (status ${status}) is not one of this API.`, { ...common, code: 'unreadable_response' });
  return new FanfareError(`${problem.code}: ${problem.detail}`, { ...common, code: problem.code, problem });
}

async function readProblem(response: Response): Promise<Problem | undefined> {
  try {
    const body = (await response.json()) as Problem | null;
    return typeof body?.code === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}
