import { DomainError, notFound } from '@fanfare/errors';
import type { Context } from '../context.ts';
import type { Scope } from '../scope.ts';
import { findIntake } from '../intake/store/intakes.ts';
import { findMedia } from '../media/store/media.ts';
import type { TusUploadDocument } from './store/tus-uploads.ts';

/**
 * Makes sure that an upload of which all bytes came is a media now, or may still become one: a client that hears that nothing is left to send takes
 * it for done. The protocol has 404 or 410 for what is there no more; 404 is what one that expired or was given up answers too, and tus-js-client
 * makes no difference: it forgets the upload's URL, and begins anew where it was told an endpoint.
 * @throws DomainError resource_not_found when the file was rejected, or what it became was deleted
 */
export async function checkOutcome({ db }: Pick<Context, 'db'>, scope: Scope, { _id, state }: TusUploadDocument): Promise<void> {
  if (state !== 'complete') return;
  // The intake first: it goes in the transaction that inserts the media.
  const intake = await findIntake(db, scope, _id);
  if (intake?.failure)
    throw new DomainError('resource_not_found', `The upload has ended because its file was rejected. ${intake.failure.detail}`);
  if (!intake && (await findMedia(db, scope, [_id])).length === 0) throw notFound('upload');
}
