import { notFound } from '@fanfare/errors';
import { scopeOf } from '../scope.ts';
import { findIntake, intakeToMedia } from '../intake/store/intakes.ts';
import { findMedia, toMedia } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const getMedia: Rpc<'getMedia'> =
  ({ db, urls }) =>
  async ({ mediaId }, { metadata }) => {
    const scope = scopeOf(metadata);
    const find = async () => (await findMedia(db, scope, [mediaId]))[0];
    const stored = await find();
    if (stored) return { media: toMedia(stored, urls) };
    const intake = await findIntake(db, scope, mediaId);
    if (intake) return { media: intakeToMedia(intake) };
    // The media may have been stored between the two reads.
    const late = await find();
    if (!late) throw notFound('media');
    return { media: toMedia(late, urls) };
  };
