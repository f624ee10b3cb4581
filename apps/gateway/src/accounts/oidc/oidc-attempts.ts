import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { libraryMs } from '../store/database-time.ts';

/** A sign-in that is under way at a provider. */
interface OidcAttempt {
  readonly providerId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** SHA-256 of what only the browser knows that began it. */
  readonly bindingHash: string;
}

/** One that came back, and waits for the web app to fetch its tokens. */
export interface OidcArrival {
  readonly userId: string;
  readonly bindingHash: string;
}

type Kept = { readonly attempt: OidcAttempt; readonly arrival: OidcArrival };

/** People look for their second factor. */
const ATTEMPT_MS = 10 * 60_000;
const ARRIVAL_MS = 60_000;

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashBinding = (binding: string): string => createHash('sha256').update(binding).digest('base64url');

export const isBinding = (binding: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashBinding(binding), 'base64url'), Buffer.from(hash, 'base64url'));

/** Kept among better-auth's verifications, under a hash of the secret that finds it again, and sealed. */
export async function keep<K extends keyof Kept>(
  { identity, keyring }: Pick<Context, 'identity' | 'keyring'>,
  kind: K,
  secret: string,
  what: Kept[K],
): Promise<void> {
  const { internalAdapter } = await (await identity.betterAuth()).$context;
  await internalAdapter.createVerificationValue({
    identifier: `oidc-${kind}:${secret}`,
    value: keyring.seal(JSON.stringify(what), `oidc-${kind}`),
    expiresAt: new Date(libraryMs() + (kind === 'attempt' ? ATTEMPT_MS : ARRIVAL_MS)),
  });
}

/** Each is taken once. */
export async function take<K extends keyof Kept>(
  { identity, keyring }: Pick<Context, 'identity' | 'keyring'>,
  kind: K,
  secret: string,
): Promise<Kept[K] | undefined> {
  const { internalAdapter } = await (await identity.betterAuth()).$context;
  const kept = await internalAdapter.consumeVerificationValue(`oidc-${kind}:${secret}`);
  return kept ? (JSON.parse(keyring.open(kept.value, `oidc-${kind}`)) as Kept[K]) : undefined;
}
