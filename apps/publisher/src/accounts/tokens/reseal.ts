import type { Context } from '../../context.ts';
import { readSecret, replaceSecret, type SECRET_PLACES, type StoredSecret } from '../store/secrets.ts';

export type Resealed = 'resealed' | 'current' | 'unreadable' | 'gone';

/**
 * Seals a stored secret under the first key of the keyring. Whoever writes meanwhile wins: a refresh token that works once is lost by being
 * overwritten. What cannot be opened is left as it is.
 */
export async function reseal(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  place: (typeof SECRET_PLACES)[number],
  known: StoredSecret,
): Promise<Resealed> {
  for (let secret: StoredSecret | undefined = known; secret; secret = await readSecret(db, place, known._id)) {
    let plaintext: string;
    try {
      // Also one that seems to be new: two different keys may have got the same id.
      plaintext = keyring.open(secret.sealed, secret.context);
    } catch {
      return 'unreadable';
    }
    if (!keyring.isStale(secret.sealed)) return 'current';
    if (await replaceSecret(db, place, secret, keyring.seal(plaintext, secret.context))) return 'resealed';
  }
  return 'gone';
}
