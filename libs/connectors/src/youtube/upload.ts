import type { Call, Content, ContentMedia, MainStep } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { unreadable } from '../calls/fields.ts';
import { videosInsert } from './quotas.ts';
import { youtubeFailure } from './errors.ts';
import { MAX_RESTARTS, PART_BYTES, UPLOAD_URL } from './limits.ts';
import { metadataOf, notifiesSubscribers } from './metadata.ts';
import { done, type Progress } from './progress.ts';
import { type Part, probeSession, sendPart, type SessionState } from './session.ts';

type Started = Progress & { readonly sessionUrl: string; readonly offset: number };

/** The next step of the upload; the one that sends the last byte publishes. */
export function uploadStep(content: Content, progress: Progress): MainStep {
  const { sessionUrl, offset } = progress;
  const [video] = content.media;
  if (sessionUrl === undefined || offset === undefined || !video) return startSession(content, progress);
  const started = { ...progress, sessionUrl, offset };
  return offset + PART_BYTES < video.sizeBytes ? uploadPart(video, started) : uploadLastPart(video, started);
}

function startSession(content: Content, progress: Progress): MainStep {
  return {
    name: 'start_upload',
    kind: 'prepare',
    spends: { quota: videosInsert.name, amount: 1 },
    async run({ http, account }) {
      const [video] = content.media;
      if (video?.type !== 'video')
        throw new PlatformFailure('validation', 'A YouTube post must have a video and no other media.', { effect: 'not_sent' });
      const response = await http.send({
        method: 'POST',
        url: UPLOAD_URL,
        query: { uploadType: 'resumable', part: 'snippet,status', notifySubscribers: String(notifiesSubscribers(content)) },
        headers: {
          authorization: `Bearer ${account.accessToken}`,
          'content-type': 'application/json; charset=UTF-8',
          'x-upload-content-type': video.mimeType,
          'x-upload-content-length': String(video.sizeBytes),
        },
        body: { json: metadataOf(content) },
      });
      if (response.status !== 200) throw youtubeFailure(response);
      const sessionUrl = response.headers.location;
      if (sessionUrl === undefined) throw unreadable('no address for the upload');
      return done({ ...progress, sessionUrl, offset: 0 });
    },
  };
}

function uploadPart(video: ContentMedia, progress: Started): MainStep {
  return {
    name: 'upload_part',
    kind: 'prepare',
    async run(call) {
      const part = await readPart(video, progress);
      const session = await sendPart(call, progress.sessionUrl, part).catch((failure: unknown) =>
        stateAfter(call, progress, part, failure),
      );
      if (session.kind === 'gone') throw lost(progress);
      if (session.kind === 'created') throw unreadable('a video before its last byte was sent');
      const moved = { ...progress, offset: session.offset };
      if (session.offset <= progress.offset) throw notStored(moved);
      return done(moved);
    },
  };
}

function uploadLastPart(video: ContentMedia, progress: Started): MainStep {
  return {
    name: 'upload_last_part',
    kind: 'commit',
    async run(call) {
      const part = await readPart(video, progress);
      const session = await sendPart(call, progress.sessionUrl, part, true).catch((failure: unknown) => {
        // Only after a clear rejection may the session be read here; otherwise the engine reconciles.
        if (!(failure instanceof PlatformFailure) || failure.effect !== 'rejected') throw failure;
        return stateAfter(call, progress, part, failure);
      });
      if (session.kind === 'gone') throw lost(progress);
      if (session.kind === 'created') return done({ videoId: session.videoId });
      // All bytes are uploaded, but YouTube has not finished: the video may still be created.
      if (session.offset >= video.sizeBytes) throw unreadable('all bytes sent, and no video');
      throw notStored({ ...progress, offset: session.offset });
    },
  };
}

async function readPart(video: ContentMedia, { offset }: Started): Promise<Part> {
  const { sizeBytes, mimeType } = video;
  return { bytes: await video.read(offset, Math.min(offset + PART_BYTES, sizeBytes) - 1), start: offset, sizeBytes, mimeType };
}

/**
 * A part without a response, or rejected because another process had continued the upload: the session knows its offset. If it is not beyond what
 * we knew, the failure stands.
 */
async function stateAfter(call: Call, { sessionUrl, offset }: Started, part: Part, failure: unknown): Promise<SessionState> {
  const mayHaveMoved =
    failure instanceof PlatformFailure &&
    ((failure.class === 'transient' && failure.effect === 'unknown') || (failure.class === 'validation' && failure.effect === 'rejected'));
  if (!mayHaveMoved) throw failure;
  const session = await probeSession(call, sessionUrl, part.sizeBytes).catch(() => {
    throw failure;
  });
  if (session.kind === 'incomplete' && session.offset === offset) throw failure;
  return session;
}

/** YouTube reports that it does not have the whole part: no video was created, and the next attempt continues from its offset. */
function notStored(retryFrom: Started): PlatformFailure {
  return new PlatformFailure('transient', 'YouTube did not store everything that was sent.', {
    effect: 'rejected',
    retryFrom: { ...retryFrom },
  });
}

function lost({ restarts = 0 }: Progress): PlatformFailure {
  const message = 'YouTube no longer has the upload.';
  if (restarts >= MAX_RESTARTS) return new PlatformFailure('media_processing_failed', message, { effect: 'rejected' });
  return new PlatformFailure('transient', message, { effect: 'rejected', retryFrom: { restarts: restarts + 1 } });
}
