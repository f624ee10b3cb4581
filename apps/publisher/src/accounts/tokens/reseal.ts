import type { Context } from '../../context.ts';
import { readSecret, replaceSecret, type SECRET_PLACES, type StoredSecret } from '../store/secrets.ts';

type Resealed = 'resealed' | 'current' | 'unreadable' | 'deleted';

/**
 * Re-encrypts a stored secret with the first key of the keyring. A concurrent write wins: overwriting would lose a refresh token that works
 * only once. A secret that cannot be decrypted is left unchanged.
 */
export async function reseal(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  place: (typeof SECRET_PLACES)[number],
  known: StoredSecret,
): Promise<Resealed> {
  for (let secret: StoredSecret | undefined = known; secret; secret = await readSecret(db, place, known._id)) {
    let plaintext: string;
    try {
      // Also checks secrets that seem current: two different keys may have the same id.
      plaintext = keyring.open(secret.sealed, secret.context);
    } catch {
      return 'unreadable';
    }
    if (!keyring.isStale(secret.sealed)) return 'current';
    if (await replaceSecret(db, place, secret, keyring.seal(plaintext, secret.context))) return 'resealed';
  }
  return 'deleted';
}
