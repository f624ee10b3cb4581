import type { Call, Candidate, Content, Publishing } from '../connector.ts';
import { listAt, stringAt, webUrl } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { nextCursor } from '../graph/graph-login.ts';
import { PAGE_SIZE } from '../graph/limits.ts';
import { sameText } from '../text/same-text.ts';
import { searchNewest } from '../search-newest.ts';
import { rules } from './errors.ts';
import { options } from './options.ts';
import { type Progress, readProgress } from './progress.ts';

/** The container proves whether it was published; the list of media contains its id. Without a container, only the list is searched. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  if (progress.container === undefined) {
    // Stories have no text: one that a person made would look like ours.
    const isStory = options.parse(content.options ?? {}).kind === 'story';
    return { proof: 'none', candidates: isStory ? [] : await findMedia(call, content, progress, committedAfter) };
  }
  const response = await graphCall(call, { method: 'GET', path: `/${progress.container}`, query: { fields: 'status_code,status' } }, rules);
  switch (stringAt(response, 'status_code')) {
    case 'PUBLISHED':
      return { proof: 'published', candidates: await findMedia(call, content, progress, committedAfter) };
    case 'FINISHED':
    case 'EXPIRED':
      return { proof: 'not_published', candidates: [] };
    default:
      return { proof: 'none', candidates: await findMedia(call, content, progress, committedAfter) };
  }
};

async function findMedia(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<readonly Candidate[]> {
  const isStory = options.parse(content.options ?? {}).kind === 'story';
  const query = { fields: 'id,caption,timestamp,permalink', limit: PAGE_SIZE };
  const path = `/${call.account.accountId}/${isStory ? 'stories' : 'media'}`;
  const caption = isStory ? '' : content.caption;
  return searchNewest<string>(committedAfter, {
    async read(after) {
      const response = await graphCall(call, { method: 'GET', path, query: { ...query, after } }, rules);
      return { entries: listAt(response, 'data'), next: nextCursor(response) };
    },
    madeAt: (media) => stringAt(media, 'timestamp'),
    candidate(media) {
      const mediaId = stringAt(media, 'id');
      if (mediaId === undefined || !sameText(caption, stringAt(media, 'caption') ?? '')) return undefined;
      const postUrl = webUrl(stringAt(media, 'permalink'));
      return { publishId: mediaId, state: { ...progress, mediaId, ...(postUrl !== undefined && { postUrl }) } };
    },
  });
}
