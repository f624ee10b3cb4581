import type { Call, Candidate, Content, Finding, Publishing } from '../connector.ts';
import { at, listAt, stringAt } from '../fields.ts';
import { graphCall } from '../graph/graph-call.ts';
import { nextCursor } from '../graph/graph-login.ts';
import { PAGE_SIZE } from '../graph/limits.ts';
import { CLOCK_SKEW_MS, isNewer, sameText } from '../same-text.ts';
import { MAX_SEARCH_PAGES } from './limits.ts';
import { kindOf, type Progress, readProgress } from './progress.ts';

/** A reel's own state tells; every other post is looked for among the page's newest. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  return kindOf(content) === 'reel' && progress.videoId !== undefined
    ? findReel(call, progress, progress.videoId)
    : { proof: 'none', candidates: await findPosts(call, content, progress, committedAfter) };
};

async function findReel(call: Call, progress: Progress, videoId: string): Promise<Finding> {
  const answer = await graphCall(call, { method: 'GET', path: `/${videoId}`, query: { fields: 'status,permalink_url' } });
  const publishing = stringAt(answer, 'status', 'publishing_phase', 'status');
  const candidate = { publishId: videoId, state: { ...progress, publishId: videoId } };
  // `not_started` proves nothing yet: Facebook may still be working on the phases before.
  return publishing === 'in_progress' || publishing === 'complete'
    ? { proof: 'published', candidates: [candidate] }
    : { proof: 'none', candidates: [] };
}

async function findPosts(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<Candidate[]> {
  const fields = 'id,message,created_time,permalink_url,status_type,attachments{media_type,media,url,subattachments}';
  const since = Math.floor((committedAfter.getTime() - CLOCK_SKEW_MS) / 1_000);
  const candidates: Candidate[] = [];
  let after: string | undefined;
  for (let round = 0; round < MAX_SEARCH_PAGES; round++) {
    const query = { fields, since, limit: PAGE_SIZE, after };
    const answer = await graphCall(call, { method: 'GET', path: `/${call.account.accountId}/published_posts`, query });
    for (const post of listAt(answer, 'data')) {
      const publishId = stringAt(post, 'id');
      const ours = isNewer(stringAt(post, 'created_time'), committedAfter) && looksLike(post, content);
      // A video found so goes by its post's id, and is known to be processed: only then it is listed.
      if (publishId && ours) candidates.push({ publishId, state: { ...progress, publishId, processed: true } });
    }
    after = nextCursor(answer);
    if (after === undefined) break;
  }
  return candidates;
}

function looksLike(post: unknown, content: Content): boolean {
  const attached = listAt(post, 'attachments', 'data').length > 0;
  const needsAttachment = content.media.length > 0 || (content.caption.trim() === '' && content.link !== undefined);
  return sameText(content.caption, stringAt(post, 'message') ?? '') && (attached || !needsAttachment) && at(post, 'is_hidden') !== true;
}
