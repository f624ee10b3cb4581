import type { RotateSecretsRequest, RotateSecretsResponse } from '@fanfare/contracts/publisher';
import { DomainError } from '@fanfare/errors';
import { keyIdOf, type Keyring, type Logger } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { listSecrets, SECRET_PLACES } from '../store/secrets.ts';
import { reseal } from './reseal.ts';

const MAX_PAGE = 1000;
const PURPOSE = 'rotation-page';

/** Re-encrypts one page of the stored secrets with the current key. @throws DomainError invalid_request for a page token of another keyring */
export async function rotateSecrets(
  context: Context,
  { pageSize, pageToken }: RotateSecretsRequest,
  log: Logger,
): Promise<RotateSecretsResponse> {
  const { db, keyring } = context;
  const limit = Math.min(Math.max(pageSize, 1), MAX_PAGE);
  const { at, afterId } = pageToken === '' ? { at: 0, afterId: '' } : openPage(keyring, pageToken);
  const place = SECRET_PLACES[at];
  if (!place) throw badPage();

  const secrets = await listSecrets(db, place, afterId, limit);
  const counts = { resealed: 0, current: 0, unreadable: 0, deleted: 0 };
  const unreadable: { collection: string; id: string; keyId: string }[] = [];
  for (const secret of secrets) {
    const became = await reseal(context, place, secret);
    counts[became]++;
    if (became === 'unreadable') unreadable.push({ collection: place.collection, id: secret.shownId, keyId: keyIdOf(secret.sealed) });
  }
  const keyId = keyring.keyIds[0];
  log.info({ collection: place.collection, key_id: keyId, ...counts }, 'secrets were re-encrypted');

  const last = secrets.length < limit ? undefined : secrets.at(-1);
  const next = last ? { at, afterId: last._id } : { at: at + 1, afterId: '' };
  const nextPageToken = next.at < SECRET_PLACES.length ? keyring.seal(JSON.stringify(next), PURPOSE) : '';
  return { keyId, resealed: counts.resealed, current: counts.current, unreadable, nextPageToken };
}

/** Encrypted, because the id of a connection is a secret. */
function openPage(keyring: Keyring, pageToken: string): { at: number; afterId: string } {
  try {
    return JSON.parse(keyring.open(pageToken, PURPOSE)) as { at: number; afterId: string };
  } catch {
    throw badPage();
  }
}

const badPage = () =>
  new DomainError('invalid_request', 'This page token is not valid: it was created with another keyring.', { param: 'cursor' });
