import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from '../../context.ts';
import { libraryMs } from '../store/database-time.ts';

/** A sign-in that has been started at a provider. */
interface OidcAttempt {
  readonly providerId: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** SHA-256 of a secret that only the browser knows that started it. */
  readonly bindingHash: string;
}

/** A sign-in that came back from the provider. The web app has not fetched its tokens yet. */
export interface OidcArrival {
  readonly userId: string;
  readonly bindingHash: string;
}

type Kept = { readonly attempt: OidcAttempt; readonly arrival: OidcArrival };

/** Long enough to find a second factor. */
const ATTEMPT_MS = 10 * 60_000;
const ARRIVAL_MS = 60_000;

export const newSecret = (): string => randomBytes(32).toString('base64url');

export const hashBinding = (binding: string): string => createHash('sha256').update(binding).digest('base64url');

export const isBinding = (binding: string, hash: string): boolean =>
  timingSafeEqual(Buffer.from(hashBinding(binding), 'base64url'), Buffer.from(hash, 'base64url'));

/** Stores it among better-auth's verifications, under the hash of the secret that finds it, and encrypted. */
export async function storeSealed<K extends keyof Kept>(
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

/** Returns and deletes it. */
export async function consume<K extends keyof Kept>(
  { identity, keyring }: Pick<Context, 'identity' | 'keyring'>,
  kind: K,
  secret: string,
): Promise<Kept[K] | undefined> {
  const { internalAdapter } = await (await identity.betterAuth()).$context;
  const kept = await internalAdapter.consumeVerificationValue(`oidc-${kind}:${secret}`);
  return kept ? (JSON.parse(keyring.open(kept.value, `oidc-${kind}`)) as Kept[K]) : undefined;
}
