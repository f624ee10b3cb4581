import { createHmac, timingSafeEqual } from 'node:crypto';

/** Meta's request about a person: https://developers.facebook.com/docs/facebook-login/guides/advanced/existing-system#parsingsr */
export interface SignedRequest {
  /** The person's id, scoped to the app. */
  readonly userId: string;
  /** By Meta's clock, to the second. */
  readonly issuedAt: Date;
}

/** Meta's own are some hundred characters long. */
const MAX_CHARACTERS = 8192;
const SIGNATURE_BYTES = 32;
const BASE64URL = /^[A-Za-z0-9_-]+$/;
const DAY_MS = 24 * 3600_000;
/** Meta documents no limit and may retry late when we were unavailable. Replays are harmless: later grants are not affected. */
const MAX_AGE_MS = 7 * DAY_MS;
const MAX_AHEAD_MS = 5 * 60_000;

/**
 * Reads a signed request: base64url of an HMAC-SHA-256 with the app's secret, a dot, base64url of JSON. Nothing of it is parsed before the
 * signature was verified in constant time.
 * @param now the current time
 * @returns undefined if it is not signed for this app, or too old
 */
export function readSignedRequest(text: string, appSecret: string, now: Date): SignedRequest | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const [signature = '', payload = '', ...more] = text.split('.');
  if (more.length > 0 || !BASE64URL.test(signature) || !BASE64URL.test(payload)) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const expected = createHmac('sha256', appSecret).update(payload).digest();
  if (given.length !== SIGNATURE_BYTES || !timingSafeEqual(given, expected)) return undefined;

  const said = parse(Buffer.from(payload, 'base64url').toString('utf8'));
  const { algorithm, issued_at: issuedAt, user_id: userId } = said;
  if (typeof algorithm !== 'string' || algorithm.toUpperCase() !== 'HMAC-SHA256') return undefined;
  if (typeof userId !== 'string' || !/^[0-9A-Za-z_-]{1,100}$/.test(userId)) return undefined;
  const issuedAtMs = typeof issuedAt === 'string' && /^\d{1,11}$/.test(issuedAt) ? Number(issuedAt) * 1000 : Number.NaN;
  const ageMs = now.getTime() - issuedAtMs;
  if (Number.isNaN(ageMs) || ageMs > MAX_AGE_MS || ageMs < -MAX_AHEAD_MS) return undefined;
  return { userId, issuedAt: new Date(issuedAtMs) };
}

type WithSource = (key: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Ids may be JSON numbers that exceed the precision of a JavaScript number: they are read as text. */
function parse(text: string): Record<string, unknown> {
  const asWritten: WithSource = (_key, value, { source }) => (typeof value === 'number' ? source : value);
  try {
    const parsed = JSON.parse(text, asWritten as (key: string, value: unknown) => unknown) as unknown;
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
