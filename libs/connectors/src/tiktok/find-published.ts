import type { Call, Candidate, Content, Finding, Publishing } from '../connector.ts';
import { listAt, numberAt, stringAt, webUrl } from '../fields.ts';
import { isNewer, sameText } from '../same-text.ts';
import { SEARCH_SIZE } from './limits.ts';
import { fresh, isVideo, type Progress, readProgress } from './progress.ts';
import { postUrlOf } from './publish.ts';
import { tiktokCall } from './tiktok-call.ts';
import { readUpload } from './upload.ts';

/** A video's task tells what became of its last part. The task of photos is known only from the answer that got lost: they are looked for among the newest posts. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  return isVideo(content) && progress.taskId !== undefined
    ? findVideo(call, content, progress, progress.taskId)
    : { proof: 'none', candidates: await findPhotos(call, content, progress, committedAfter) };
};

/** Nothing is published while a byte is missing. What TikTok failed to publish is for the next step to find, which knows why. */
async function findVideo(call: Call, { media }: Content, progress: Progress, taskId: string): Promise<Finding> {
  const { status, uploadedBytes } = await readUpload(call, taskId);
  const size = media[0]?.sizeBytes ?? Infinity;
  if (status === 'PROCESSING_UPLOAD' && (uploadedBytes === undefined || uploadedBytes < size)) {
    if (uploadedBytes === undefined) return { proof: 'none', candidates: [] };
    const resumed = (progress.resumed ?? 0) + 1;
    // An upload that lost its last part twice is dead, or its hour is over.
    return { proof: 'not_published', candidates: [], retryFrom: resumed > 1 ? fresh(progress) : { ...progress, resumed, askOffset: true } };
  }
  return { proof: 'published', candidates: [{ publishId: taskId, state: { ...progress, committed: true } }] };
}

async function findPhotos(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<Candidate[]> {
  const query = { fields: 'id,title,video_description,create_time,share_url' };
  const { json } = await tiktokCall(call, { path: '/video/list/', query, json: { max_count: SEARCH_SIZE } });
  const username = progress.creator?.username ?? call.account.username;
  return listAt(json, 'data', 'videos').flatMap((post) => {
    const postId = stringAt(post, 'id');
    const createdAt = numberAt(post, 'create_time');
    const isRecent = createdAt !== undefined && isNewer(new Date(createdAt * 1_000).toISOString(), committedAfter);
    if (postId === undefined || !isRecent || !hasText(post, content)) return [];
    const postUrl = webUrl(stringAt(post, 'share_url')) ?? postUrlOf(username, postId);
    return [{ publishId: postId, state: { ...progress, committed: true, settled: true, postId, postUrl } }];
  });
}

function hasText(post: unknown, { caption, title }: Content): boolean {
  const [theirTitle, theirText] = [stringAt(post, 'title') ?? '', stringAt(post, 'video_description') ?? ''];
  return sameText(caption, theirText) || (title !== undefined && sameText(`${title} ${caption}`, `${theirTitle} ${theirText}`));
}
