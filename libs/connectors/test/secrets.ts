import { createHmac } from 'node:crypto';
import { inspect } from 'node:util';
import { anApp } from './a-content.ts';

/** What no failure may reveal, in recognizable words. */
export const secrets = {
  accessToken: 'token-of-the-account',
  refreshToken: 'refresh-of-the-account',
  code: 'code-of-the-login',
  codeVerifier: 'verifier-of-the-login',
  granted: 'token-just-granted',
} as const;

const proofs = Object.values(secrets).map((token) => createHmac('sha256', anApp.clientSecret).update(token).digest('hex'));
const basic = Buffer.from(`${anApp.clientId}:${anApp.clientSecret}`).toString('base64');
const all = [...Object.values(secrets), ...proofs, anApp.clientSecret, basic];

/** The secrets that can be read anywhere in a failure: its words, its details, what caused it, and every stack. */
export function secretsIn(failure: unknown): string[] {
  const told = inspect(failure, { depth: Infinity, showHidden: true, maxStringLength: Infinity, maxArrayLength: Infinity });
  const written = JSON.stringify(failure, (_key, value: unknown) =>
    value instanceof Error ? { ...value, message: value.message } : value,
  );
  return all.filter((secret) => told.includes(secret) || written.includes(secret));
}
