import type { ClientSession } from 'mongodb';
import type { Context } from '../context.ts';
import type { MediaDocument } from '../media/store/media.ts';
import { insertTranscription } from './store/transcriptions.ts';

/** Queues the transcription of a media with audio, in the transaction that inserts it. Does nothing without a speech-to-text provider. */
export async function enqueueTranscription(
  { config, db }: Pick<Context, 'config' | 'db'>,
  session: ClientSession,
  document: MediaDocument,
): Promise<void> {
  if (config.speechToText === undefined || document.facts?.audio_codec === undefined || document.transcript) return;
  await insertTranscription(db, document._id, document.organization_id, session);
}
