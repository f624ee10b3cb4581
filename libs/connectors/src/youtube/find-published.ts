import type { Finding, Publishing } from '../connector.ts';
import { SESSION_LIFE_MS } from './limits.ts';
import { readProgress } from './progress.ts';
import { probeSession } from './session.ts';

const cannotTell: Finding = { proof: 'none', candidates: [] };
const notPublished: Finding = { proof: 'not_published', candidates: [] };

/** Asks the upload session itself: it names the video that came of it, or how many bytes are still missing. Both are proof. */
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
      // With all bytes there the video may come about at any moment.
      return session.offset < video.sizeBytes ? notPublished : cannotTell;
    case 'gone': {
      // A session that was of use is forgotten too, after its week.
      const forgotten = session.at === undefined || session.at.getTime() - committedAfter.getTime() > SESSION_LIFE_MS;
      return forgotten ? cannotTell : notPublished;
    }
  }
};
