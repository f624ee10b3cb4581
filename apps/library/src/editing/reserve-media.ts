import type { ReserveMediaRequest } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { touchMedia } from '../media/store/media.ts';
import { findReserved, insertReservation } from '../media/store/reservations.ts';
import { scopeOf } from '../scope.ts';

/** A post has at most 100 media, 50 in its overrides, and a cover. */
const MAX_IDS = 200;

/** Reserving and deleting both write to the media, so that of two concurrent transactions the second one sees the result of the first. */
export async function reserveMedia(
  { db, transact }: Pick<Context, 'db' | 'transact'>,
  { holder, revision, mediaIds, operationId }: ReserveMediaRequest,
  metadata: CallMetadata,
): Promise<void> {
  const scope = scopeOf(metadata);
  if (holder === '' || operationId === '')
    throw new DomainError('invalid_value', 'A reservation needs a holder and an operation id.', { param: 'holder' });
  if (mediaIds.length > MAX_IDS)
    throw new DomainError('invalid_value', `Reserve at most ${MAX_IDS} media at once.`, { param: 'media_ids' });
  if (mediaIds.length === 0) return;
  await transact(async (session) => {
    const reserved = (await findReserved(db, [holder], session)).get(holder);
    if (reserved && reserved.revision >= revision) return;
    const existing = new Set(await touchMedia(db, scope, mediaIds, session));
    const missing = mediaIds.findIndex((id) => !existing.has(id));
    if (missing !== -1) throw new DomainError('resource_not_found', 'Media not found.', { param: `media_ids.${missing}` });
    await insertReservation(db, scope, { holder, revision, operationId, mediaIds }, session);
  });
}
