import { topics } from '@fanfare/contracts';
import type { Media } from '@fanfare/contracts/library';
import type { MediaChange } from '@fanfare/contracts/library/events';
import { appendToOutbox } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import { toMedia, type MediaDocument } from './media/store/media.ts';

const SOURCE = 'library';

/** Whose an event is, and at which of its revisions. */
type Subject = Pick<MediaDocument, '_id' | 'organization_id' | 'business_id' | 'revision'>;

/**
 * A media changed: once for each of its revisions, in the transaction that makes it.
 * @param document as it is after the change; of a deleted one, the mark with the revision that the deletion has
 * @param flowId of the call that changed it; work in the background has none
 */
export async function emitMediaChanged(
  context: Pick<Context, 'db' | 'urls'>,
  session: ClientSession,
  document: MediaDocument,
  change: Exclude<MediaChange, 'MEDIA_CHANGE_FAILED'>,
  flowId = `media-${document._id}`,
): Promise<void> {
  const media = change === 'MEDIA_CHANGE_DELETED' ? undefined : toMedia(document, context.urls);
  await emit(context, session, document, { change, media, flowId });
}

/**
 * What was to become a media came to nothing. There is no document of it, so that its revision is 1 unless the subject has one.
 * @param media as GetMedia answers with it: FAILED, with its failure
 */
export async function emitMediaFailed(
  context: Pick<Context, 'db'>,
  session: ClientSession,
  subject: Subject,
  media: Media,
  flowId = `media-${subject._id}`,
): Promise<void> {
  await emit(context, session, subject, { change: 'MEDIA_CHANGE_FAILED', media, flowId });
}

async function emit(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  { _id: mediaId, organization_id: organizationId, business_id: businessId, revision = 1 }: Subject,
  { change, media, flowId }: { change: MediaChange; media: Media | undefined; flowId: string },
): Promise<void> {
  const emission = { subject: mediaId, revision, organizationId, businessId, flowId };
  await appendToOutbox(db, session, SOURCE, topics.mediaChanged, emission, {
    mediaId,
    organizationId,
    businessId,
    revision,
    change,
    media,
  });
}
