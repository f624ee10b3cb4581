import { DomainError, notFound } from '@fanfare/errors';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findIntake } from '../intake/store/intakes.ts';
import { findMedia } from '../media/store/media.ts';
import type { TusUploadDocument } from './store/tus-uploads.ts';

/**
 * Checks that a complete upload has become a media, or still may: a client that learns that all bytes were received considers the upload successful.
 * If not, the response is 404, as for expired and canceled uploads. The protocol also permits 410, but tus-js-client treats both alike: it discards the
 * URL of the upload, and starts over if it has an endpoint.
 * @throws DomainError resource_not_found if the file was rejected, or the media was deleted
 */
export async function checkOutcome({ db }: Pick<Context, 'db'>, scope: Scope, { _id, state }: TusUploadDocument): Promise<void> {
  if (state !== 'complete') return;
  // Reads the intake first, because the transaction that inserts the media deletes it.
  const intake = await findIntake(db, scope, _id);
  if (intake?.failure)
    throw new DomainError('resource_not_found', `The upload has ended because its file was rejected. ${intake.failure.detail}`);
  if (!intake && (await findMedia(db, scope, [_id])).length === 0) throw notFound('upload');
}
