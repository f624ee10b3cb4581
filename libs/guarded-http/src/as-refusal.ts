import { FetchRefused, type RefusalReason } from './fetch-refused.ts';

/** What went wrong between us and the server, as a reason; what went wrong in ourselves stays as it is. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof FetchRefused) return error;
  const { code = '', name } = error as NodeJS.ErrnoException;
  if (name === 'HTTPParserError') return new FetchRefused('bad_answer', error);
  const [, reason = 'unreachable'] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  return new FetchRefused(reason, error);
}

/** Codes of undici, OpenSSL and zlib. */
const REASONS: readonly [RegExp, RefusalReason][] = [
  [/^UND_ERR_(HEADERS|CONNECT)_TIMEOUT$/, 'no_answer'],
  [/^UND_ERR_BODY_TIMEOUT$/, 'timeout'],
  [/^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/, 'incomplete'],
  [/^UND_ERR_INVALID_ARG$/, 'bad_url'],
  [/^UND_ERR_HEADERS_OVERFLOW$/, 'bad_answer'],
  [/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS_/, 'bad_certificate'],
  [/^(Z_|ERR_BROTLI|ERR__)/, 'bad_encoding'],
];
