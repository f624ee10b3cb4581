import type { Call, Candidate, Content, Publishing } from '../connector.ts';
import { listAt, stringAt, webUrl } from '../fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { isNewer, sameText } from '../same-text.ts';
import { rules } from './errors.ts';
import { SEARCH_SIZE } from './limits.ts';
import { options } from './options.ts';
import { type Progress, readProgress } from './progress.ts';

/** The container proves whether it was published; the list of media tells under which id. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  if (progress.container === undefined) return { proof: 'none', candidates: [] };
  const answer = await graphCall(call, { method: 'GET', path: `/${progress.container}`, query: { fields: 'status_code,status' } }, rules);
  switch (stringAt(answer, 'status_code')) {
    case 'PUBLISHED':
      return { proof: 'published', candidates: await findMedia(call, content, progress, committedAfter) };
    case 'FINISHED':
    case 'EXPIRED':
      return { proof: 'not_published', candidates: [] };
    default:
      return { proof: 'none', candidates: await findMedia(call, content, progress, committedAfter) };
  }
};

async function findMedia(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<Candidate[]> {
  const isStory = options.parse(content.options ?? {}).kind === 'story';
  const query = { fields: 'id,caption,timestamp,permalink', limit: SEARCH_SIZE };
  const path = `/${call.account.accountId}/${isStory ? 'stories' : 'media'}`;
  const answer = await graphCall(call, { method: 'GET', path, query }, rules);
  const caption = isStory ? '' : content.caption;
  return listAt(answer, 'data').flatMap((media) => {
    const mediaId = stringAt(media, 'id');
    const ours = isNewer(stringAt(media, 'timestamp'), committedAfter) && sameText(caption, stringAt(media, 'caption') ?? '');
    const postUrl = webUrl(stringAt(media, 'permalink'));
    return mediaId && ours ? [{ publishId: mediaId, state: { ...progress, mediaId, ...(postUrl !== undefined && { postUrl }) } }] : [];
  });
}
