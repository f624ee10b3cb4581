import type { ErrorCode } from './error-table.ts';

/** One problem of a request. */
export interface FieldError {
  /** Dotted path of the parameter: platform_overrides.0.link. */
  readonly param: string;
  readonly code: ErrorCode;
  readonly detail: string;
}

/**
 * The error that services throw. `detail` is for the customer and is shown unchanged; `cause` is for the operator and never leaves the process.
 */
export class DomainError extends Error {
  override readonly name = 'DomainError';
  readonly code: ErrorCode;
  readonly param: string | undefined;
  /** All problems, for errors that can have several. */
  readonly errors: readonly FieldError[];
  /** How many seconds to wait before a retry. */
  readonly retryAfterSeconds: number | undefined;
  /** Additional members of the response, such as the `window` of an exceeded rate limit. */
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

/**
 * The resource does not exist, or belongs to another business.
 * @param what the kind of resource, such as `post`
 */
export function notFound(what: string): DomainError {
  return new DomainError('resource_not_found', `${what.charAt(0).toUpperCase()}${what.slice(1)} not found.`);
}
