import type { UpdateMediaRequest } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import type { CallMetadata } from '@fanfare/rpc';
import { now } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { lockFolder } from '../documents/store/folders.ts';
import { emitMediaChanged } from '../events.ts';
import { findIntake } from '../intake/store/intakes.ts';
import { editMedia, findCreatedMedia, type MediaDocument, type MediaTexts } from '../media/store/media.ts';
import { scopeOf } from '../scope.ts';
import { checkTranscript } from '../transcripts/domain/check-transcript.ts';

/** Changes the texts and the folder of a media, with its event. A repeated operation changes nothing. */
export async function updateMedia(context: Context, request: UpdateMediaRequest, metadata: CallMetadata): Promise<MediaDocument> {
  const { db } = context;
  const { operationId, mediaId, expectedRevisions } = request;
  const scope = scopeOf(metadata);
  const changes = changesOf(request);
  const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };

  return context.transact(async (session) => {
    const before = await findCreatedMedia(db, scope, mediaId, session);
    if (!before && (await findIntake(db, scope, mediaId))) throw notReady();
    if (before?.operation_ids?.includes(operationId)) return before;
    if (changes.folder_id) await lockFolder(db, scope, changes.folder_id, session);
    const after = await editMedia(db, scope, mediaId, changes, edit, session);
    await emitMediaChanged(context, session, after, 'MEDIA_CHANGE_UPDATED', metadata);
    return after;
  });
}

const notReady = () => new DomainError('conflict', 'The media is not ready. Change it when its status is ready.');

/** @throws DomainError invalid_request, invalid_value */
function changesOf({ altText, description, transcript, folderId }: UpdateMediaRequest): Partial<MediaTexts> {
  const changes: Partial<MediaTexts> = {
    ...(altText === undefined ? {} : { alt_text: altText }),
    ...(description === undefined ? {} : { description }),
    ...(transcript === undefined ? {} : { transcript }),
    ...(folderId === undefined ? {} : { folder_id: folderId === '' ? null : folderId }),
  };
  if (Object.keys(changes).length === 0) throw new DomainError('invalid_request', 'Provide at least one field to update.');
  if (transcript !== undefined) checkTranscript(transcript);
  return changes;
}
