import { createHash } from 'node:crypto';
import { TOKEN_PREFIX } from '../world/credentials.ts';

const secretNames = new Set([
  'access_token',
  'appsecret_proof',
  'client_secret',
  'code_verifier',
  'fb_exchange_token',
  'input_token',
  'refresh_token',
  'token',
]);

/** Secrets that a client sends; in a response, `code` is an error number. */
const requestSecretNames = new Set([...secretNames, 'code']);

const inUrl = new RegExp(`([?&#](?:${[...requestSecretNames].join('|')})=)([^&#\\s"']+)`, 'g');
const ours = new RegExp(`\\b${TOKEN_PREFIX}[A-Za-z]{2,6}_[0-9a-f]{48}\\b`, 'g');

/** The same secret always has the same mark, so that readers can tell whether two calls used the same token. */
export function mark(value: string): string {
  return `***${createHash('sha256').update(value).digest('hex').slice(0, 10)}`;
}

export function maskRequest<T>(value: T): T {
  return mask(value, requestSecretNames) as T;
}

export function maskResponse<T>(value: T): T {
  return mask(value, secretNames) as T;
}

export function maskHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === 'authorization') return [name, maskAuthorization(value)];
      return [name, name === 'cookie' || name === 'set-cookie' ? mark(value) : maskText(value)];
    }),
  );
}

function mask(value: unknown, names: Set<string>): unknown {
  if (typeof value === 'string') return maskText(value);
  if (Array.isArray(value)) return value.map((item) => mask(item, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]: [string, unknown]) => [
      name,
      names.has(name) && typeof item === 'string' ? mark(item) : mask(item, names),
    ]),
  );
}

function maskText(text: string): string {
  return text.replace(inUrl, (_, start: string, value: string) => start + mark(decode(value))).replace(ours, mark);
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

function maskAuthorization(value: string): string {
  const space = value.indexOf(' ');
  return space < 0 ? mark(value) : `${value.slice(0, space)} ${mark(value.slice(space + 1).trim())}`;
}
