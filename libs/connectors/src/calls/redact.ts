import type { PlatformRequest } from './http.ts';

const MASK = '***';

const SECRET_NAMES =
  'access_token|refresh_token|id_token|appsecret_proof|client_secret|code|code_verifier|fb_exchange_token|input_token|oauth_token';

const PATTERNS: readonly [RegExp, string][] = [
  // `access_token=…`, `"access_token": "…"`. Short values stay: `code=190` is an error number, not an authorization code.
  [new RegExp(`\\b(${SECRET_NAMES})(["']?\\s*[=:]\\s*["']?)[^\\s"'&,}]{10,}`, 'gi'), `$1$2${MASK}`],
  [/\b(Bearer|OAuth|Basic)\s+[A-Za-z0-9._~+/|=-]{16,}/g, `$1 ${MASK}`],
  // Meta's tokens anywhere in the text, and its `app id|app secret`.
  [/\b(EAA|IGQ|IGAA)[A-Za-z0-9_-]{12,}/g, MASK],
  [/\b\d{5,}\|[A-Za-z0-9_-]{16,}/g, MASK],
];

/** Masks what looks like a token, a code or a proof in a text for people or logs. */
export function redact(text: string): string {
  return PATTERNS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text);
}

/**
 * Masks the secrets of one request in a text that came back for it.
 * @param others more secrets of the same account, which the request does not contain
 */
export function redactSecretsOf(request: PlatformRequest, others: readonly string[], text: string): string {
  return [...secretsOf(request), ...others]
    .flatMap((secret) => [secret, encodeURIComponent(secret), secret.replaceAll('/', '\\/')])
    .filter((secret) => secret.length >= 6)
    .sort((a, b) => b.length - a.length)
    .reduce((masked, secret) => masked.replaceAll(secret, MASK), text);
}

function secretsOf({ headers, query, body }: PlatformRequest): string[] {
  const isSecret = new RegExp(`^(${SECRET_NAMES}|token)$`);
  const fields = [query, body && 'form' in body ? body.form : undefined, body && 'json' in body ? body.json : undefined]
    .flatMap((source) => (source !== null && typeof source === 'object' ? Object.entries(source) : []))
    .filter(([name]) => isSecret.test(name))
    .map(([, value]) => String(value));
  const authorization = Object.entries(headers ?? {}).filter(([name]) => name.toLowerCase() === 'authorization');
  const credentials = authorization.map(([, value]) => value.slice(value.indexOf(' ') + 1));
  return [...fields, ...credentials];
}
