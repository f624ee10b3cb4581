import type { RotateSecretsRequest, RotateSecretsResponse } from '@fanfare/contracts/webhooks';
import { keyIdOf, type Logger } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { openSecrets, sealSecrets } from './secrets.ts';
import { listSealed, replaceSealed } from './store/endpoints.ts';

const MAX_PAGE = 1000;

/** Encrypts the secrets of one page of endpoints again, with the first key of the keyring. */
export async function resealSecrets(
  { db, keyring }: Pick<Context, 'db' | 'keyring'>,
  { pageSize, pageToken }: RotateSecretsRequest,
  log: Logger,
): Promise<RotateSecretsResponse> {
  const limit = Math.min(Math.max(pageSize, 1), MAX_PAGE);
  const [keyId] = keyring.keyIds;
  const page = await listSealed(db, pageToken, limit);
  const stale = page.filter(({ sealed }) => keyIdOf(sealed) !== keyId);
  const unreadable: { collection: string; id: string; keyId: string }[] = [];
  let resealed = 0;
  for (const endpoint of stale) {
    try {
      // An endpoint that was changed meanwhile is encrypted with the first key already, by this process or one that has the same keyring.
      if (await replaceSealed(db, endpoint, sealSecrets(keyring, endpoint._id, openSecrets(keyring, endpoint)))) resealed++;
    } catch (error) {
      log.error({ err: error, endpoint_id: endpoint._id }, 'the secrets of a webhook endpoint cannot be decrypted; nothing is sent to it');
      unreadable.push({ collection: 'endpoints', id: endpoint._id, keyId: keyIdOf(endpoint.sealed) });
    }
  }
  const last = page.length < limit ? undefined : page.at(-1);
  return { keyId, resealed, current: page.length - stale.length, unreadable, nextPageToken: last?._id ?? '' };
}
