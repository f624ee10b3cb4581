import { FetchError, type FetchErrorReason } from './fetch-error.ts';

/** Turns any error of a fetch into a `FetchError`. */
export function asFetchError(error: unknown): unknown {
  if (error instanceof FetchError) return error;
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return new FetchError('bad_response', error);
  const [, reason = 'unreachable'] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  return new FetchError(reason, error);
}

/** Error codes of undici, OpenSSL and zlib. */
const REASONS: readonly [RegExp, FetchErrorReason][] = [
  [/^UND_ERR_(HEADERS|CONNECT)_TIMEOUT$/, 'no_response'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'timeout'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'incomplete'],
  [/^UND_ERR_INVALID_ARG$/, 'bad_url'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'bad_response'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/, 'bad_certificate'],
  [/^(Z_|ERR_BROTLI|ERR__)/, 'bad_encoding'],
];
