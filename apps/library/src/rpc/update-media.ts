import type { UpdateMediaRequest } from '@fanfare/contracts/library';
import { DomainError } from '@fanfare/errors';
import { now } from '@fanfare/runtime';
import { checkTranscript } from '../transcripts/domain/check-transcript.ts';
import { scopeOf } from '../scope.ts';
import { emitMediaChanged } from '../events.ts';
import { lockFolder } from '../documents/store/folders.ts';
import { findIntake } from '../intake/store/intakes.ts';
import { editMedia, findCreatedMedia, toMedia, type MediaTexts } from '../media/store/media.ts';
import type { Rpc } from './rpc.ts';

export const updateMedia: Rpc<'updateMedia'> = (context) => async (request, call) => {
  const { db, urls } = context;
  const { operationId, mediaId, expectedRevisions } = request;
  const scope = scopeOf(call.metadata);
  const changes = changesOf(request);
  const edit = { operationId, expectedRevisions, at: now(scope.organizationId) };

  const updated = await context.transact(async (session) => {
    const before = await findCreatedMedia(db, scope, mediaId, session);
    if (!before && (await findIntake(db, scope, mediaId))) throw notReady();
    if (before?.operation_ids?.includes(operationId)) return before;
    if (changes.folder_id) await lockFolder(db, scope, changes.folder_id, session);
    const after = await editMedia(db, scope, mediaId, changes, edit, session);
    await emitMediaChanged(context, session, after, 'MEDIA_CHANGE_UPDATED', call.metadata);
    return after;
  });
  return { media: toMedia(updated, urls) };
};

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
