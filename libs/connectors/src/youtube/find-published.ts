import type { Call, Candidate, Content, Finding, Publishing } from '../connector.ts';
import { listAt, stringAt } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { searchNewest } from '../search-newest.ts';
import { sameText } from '../text/same-text.ts';
import { rules } from './errors.ts';
import { API_URL, SESSION_LIFE_MS } from './limits.ts';
import { metadataOf } from './metadata.ts';
import { readProgress } from './progress.ts';
import { probeSession } from './session.ts';

/** The most that YouTube returns at once. */
const SEARCH_SIZE = 50;

const cannotTell: Finding = { proof: 'none', candidates: [] };
const notPublished: Finding = { proof: 'not_published', candidates: [] };

/** Reads the upload session itself: it returns the video, or how many bytes are missing. Both are proof. Without a session, the channel's newest uploads are searched. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const { sessionUrl } = readProgress(state);
  const [video] = content.media;
  if (!video) return cannotTell;
  if (sessionUrl === undefined) return { proof: 'none', candidates: await findUploads(call, content, committedAfter) };
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

async function findUploads(call: Call, content: Content, committedAfter: Date): Promise<readonly Candidate[]> {
  const channels = await googleCall(
    call,
    { method: 'GET', url: `${API_URL}/channels`, query: { part: 'contentDetails', mine: 'true' } },
    rules,
  );
  const playlistId = stringAt(listAt(channels, 'items')[0], 'contentDetails', 'relatedPlaylists', 'uploads');
  if (playlistId === undefined) return [];
  const { title, description } = metadataOf(content).snippet;
  return searchNewest<string>(committedAfter, {
    async read(pageToken) {
      const query = { part: 'snippet', playlistId, maxResults: SEARCH_SIZE, pageToken };
      const response = await googleCall(call, { method: 'GET', url: `${API_URL}/playlistItems`, query }, rules);
      return { entries: listAt(response, 'items'), next: stringAt(response, 'nextPageToken') };
    },
    madeAt: (item) => stringAt(item, 'snippet', 'publishedAt'),
    candidate(item) {
      const videoId = stringAt(item, 'snippet', 'resourceId', 'videoId');
      const isSame =
        sameText(title, stringAt(item, 'snippet', 'title') ?? '') && sameText(description, stringAt(item, 'snippet', 'description') ?? '');
      return videoId !== undefined && isSame ? { publishId: videoId, state: { videoId } } : undefined;
    },
  });
}
