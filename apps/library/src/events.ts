import { topics } from '@fanfare/contracts';
import type { Media } from '@fanfare/contracts/library';
import type { MediaChange } from '@fanfare/contracts/library/events';
import { appendToOutbox, type Cause } from '@fanfare/events';
import type { ClientSession } from 'mongodb';
import type { Context } from './context.ts';
import { toMedia, type MediaDocument } from './media/store/media.ts';

const SOURCE = 'library';

/** The media of an event, with the revision and its owner. */
type Subject = Pick<MediaDocument, '_id' | 'organization_id' | 'business_id' | 'revision'>;

/**
 * Emits that a media has changed. Must be called once for each of its revisions, in the transaction that makes it.
 * @param document the media after the change; for a deletion, the mark with the revision of the deletion
 * @param cause the call that changed it; omit in background work
 */
export async function emitMediaChanged(
  context: Pick<Context, 'db' | 'urls'>,
  session: ClientSession,
  document: MediaDocument,
  change: Exclude<MediaChange, 'MEDIA_CHANGE_FAILED'>,
  cause: Cause = { flowId: `media-${document._id}` },
): Promise<void> {
  const media = change === 'MEDIA_CHANGE_DELETED' ? undefined : toMedia(document, context.urls);
  await emit(context, session, document, { change, media, cause });
}

/**
 * Emits that a media could not be created. It has no document, so the revision is 1 unless the subject has one.
 * @param media as GetMedia returns it: FAILED, with its failure
 */
export async function emitMediaFailed(
  context: Pick<Context, 'db'>,
  session: ClientSession,
  subject: Subject,
  media: Media,
  cause: Cause = { flowId: `media-${subject._id}` },
): Promise<void> {
  await emit(context, session, subject, { change: 'MEDIA_CHANGE_FAILED', media, cause });
}

async function emit(
  { db }: Pick<Context, 'db'>,
  session: ClientSession,
  { _id: mediaId, organization_id: organizationId, business_id: businessId, revision = 1 }: Subject,
  { change, media, cause }: { change: MediaChange; media: Media | undefined; cause: Cause },
): Promise<void> {
  const emission = { ...cause, subject: mediaId, revision, organizationId, businessId };
  await appendToOutbox(db, session, SOURCE, topics.mediaChanged, emission, {
    mediaId,
    organizationId,
    businessId,
    revision,
    change,
    media,
  });
}
