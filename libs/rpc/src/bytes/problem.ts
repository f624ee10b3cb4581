import { DomainError, ERROR_TABLE, type ErrorCode, type FieldError } from '@fanfare/errors';

/** A domain error between our services, as a problem document (RFC 9457) with extension members. */
interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
  readonly param?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly errors?: readonly FieldError[];
  readonly members?: Readonly<Record<string, string>>;
}

/** Serializes an error as a problem document; `readProblem` reads it. */
export function problemBody({ code, detail, param, errors, members, retryAfterSeconds }: DomainError): string {
  const { httpStatus: status, title } = ERROR_TABLE[code];
  const more = { ...(errors.length > 0 && { errors }), ...(Object.keys(members).length > 0 && { members }) };
  const problem: Problem = { type: 'about:blank', title, status, code, detail, param, retryAfterSeconds, ...more };
  return JSON.stringify(problem);
}

/** Reads an error that `problemBody` wrote. Returns undefined for any other text. */
export function readProblem(body: string): DomainError | undefined {
  const { code = '', detail = '', ...more } = parse(body);
  if (!Object.hasOwn(ERROR_TABLE, code)) return undefined;
  return new DomainError(code as ErrorCode, detail, more);
}

function parse(body: string): Partial<Problem> {
  try {
    return (JSON.parse(body) ?? {}) as Partial<Problem>;
  } catch {
    return {};
  }
}
