import type { Call, Candidate, Content, Finding, Publishing } from '../connector.ts';
import { at, listAt, stringAt } from '../calls/fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { nextCursor } from '../graph/graph-login.ts';
import { sameText } from '../text/same-text.ts';
import { CLOCK_SKEW_MS, searchNewest } from '../search-newest.ts';
import { SEARCH_SIZE } from './limits.ts';
import { kindOf, type Progress, readProgress } from './progress.ts';

/** A reel's own state is proof; every other post is searched among the page's newest. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  return kindOf(content) === 'reel' && progress.videoId !== undefined
    ? findReel(call, progress, progress.videoId)
    : { proof: 'none', candidates: await findPosts(call, content, progress, committedAfter) };
};

async function findReel(call: Call, progress: Progress, videoId: string): Promise<Finding> {
  const response = await graphCall(call, { method: 'GET', path: `/${videoId}`, query: { fields: 'status,permalink_url' } });
  const publishing = stringAt(response, 'status', 'publishing_phase', 'status');
  const candidate = { publishId: videoId, state: { ...progress, publishId: videoId } };
  // `not_started` is no proof yet: Facebook may still be processing the previous phases.
  return publishing === 'in_progress' || publishing === 'complete'
    ? { proof: 'published', candidates: [candidate] }
    : { proof: 'none', candidates: [] };
}

async function findPosts(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<readonly Candidate[]> {
  const fields = 'id,message,created_time,permalink_url,status_type,attachments{media_type,media,url,target,subattachments}';
  const since = Math.floor((committedAfter.getTime() - CLOCK_SKEW_MS) / 1_000);
  const path = `/${call.account.accountId}/published_posts`;
  return searchNewest<string>(committedAfter, {
    async read(after) {
      const response = await graphCall(call, { method: 'GET', path, query: { fields, since, limit: SEARCH_SIZE, after } });
      return { entries: listAt(response, 'data'), next: nextCursor(response) };
    },
    madeAt: (post) => stringAt(post, 'created_time'),
    candidate(post) {
      // A video's post has the video's id, as in the response to the commit; a listed video is processed.
      const publishId = kindOf(content) === 'video' ? stringAt(post, 'attachments', 'data', 0, 'target', 'id') : stringAt(post, 'id');
      if (publishId === undefined || !looksLike(post, content)) return undefined;
      return { publishId, state: { ...progress, publishId, processed: true } };
    },
  });
}

/** The same text and the same number of media of each kind. The images cannot be compared: Facebook gives its copies new ids and URLs. */
function looksLike(post: unknown, content: Content): boolean {
  if (!sameText(content.caption, stringAt(post, 'message') ?? '') || at(post, 'is_hidden') === true) return false;
  const attachments = listAt(post, 'attachments', 'data');
  if (content.media.length === 0) return !attachments.some(holdsMedia) && (content.link === undefined || attachments.length > 0);
  const parts = listAt(attachments[0], 'subattachments', 'data');
  const shown = (parts.length > 0 ? parts : attachments).filter(holdsMedia);
  const isVideo = content.media[0]?.type === 'video';
  return shown.length === content.media.length && shown.every((one) => (mediaTypeOf(one) === 'video') === isVideo);
}

const mediaTypeOf = (attachment: unknown) => stringAt(attachment, 'media_type');
const holdsMedia = (attachment: unknown) => ['photo', 'video', 'album'].includes(mediaTypeOf(attachment) ?? '');
