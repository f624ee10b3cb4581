import type { Finding, Publishing } from '../connector.ts';
import { SESSION_LIFE_MS } from './limits.ts';
import { readProgress } from './progress.ts';
import { probeSession } from './session.ts';

const cannotTell: Finding = { proof: 'none', candidates: [] };
const notPublished: Finding = { proof: 'not_published', candidates: [] };

/** Reads the upload session itself: it returns the video, or how many bytes are missing. Both are proof. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const { sessionUrl } = readProgress(state);
  const [video] = content.media;
  if (sessionUrl === undefined || !video) return cannotTell;
  const session = await probeSession(call, sessionUrl, video.sizeBytes);
  switch (session.kind) {
    case 'created': {
      const { videoId } = session;
      return { proof: 'published', candidates: [{ publishId: videoId, state: { videoId } }] };
    }
    case 'incomplete':
      // With all bytes uploaded the video may be created at any moment.
      return session.offset < video.sizeBytes ? notPublished : cannotTell;
    case 'gone': {
      // A successful session is also forgotten after its week.
      const forgotten = session.at === undefined || session.at.getTime() - committedAfter.getTime() > SESSION_LIFE_MS;
      return forgotten ? cannotTell : notPublished;
    }
  }
};
