import type { ErrorCode } from './error-table.ts';

/** One thing that is wrong with a request. */
export interface FieldError {
  /** Dotted path of the parameter: platform_overrides.0.link. */
  readonly param: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

/**
 * What services raise. `detail` is written for the caller and may be shown; the `cause` is for the operator and never leaves the process.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  /** Every problem, where there may be several. */
  readonly errors: readonly FieldError[];
  /** After how many seconds trying again may help. */
  readonly retryAfterSeconds: number | undefined;
  /** Further members of the problem as callers see it, such as the `window` that is used up. */
  readonly members: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    detail: string,
    more: {
      param?: string | undefined;
      errors?: readonly FieldError[];
      retryAfterSeconds?: number | undefined;
      members?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    super(detail, more.cause === undefined ? undefined : { cause: more.cause });
    this.code = code;
    this.param = more.param;
    this.errors = more.errors ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds;
    this.members = more.members ?? {};
  }

  get detail(): string {
    return this.message;
  }
}

/** The resource is not there, or not in this business. */
export function notFound(what: string): DomainError {
  return new DomainError('resource_not_found', `No such ${what}.`);
}
