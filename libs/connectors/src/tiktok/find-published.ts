import type { Call, Content, Finding, Publishing } from '../connector.ts';
import { at, listAt, numberAt, stringAt, webUrl } from '../calls/fields.ts';
import { sameBeginning, sameText } from '../text/same-text.ts';
import { searchNewest } from '../search-newest.ts';
import { LISTED_TEXT_LENGTH, SEARCH_SIZE } from './limits.ts';
import { fresh, isVideo, type Progress, readProgress } from './progress.ts';
import { postUrlOf } from './publish.ts';
import { tiktokCall } from './tiktok-call.ts';
import { readUpload } from './upload.ts';

/** A video's task knows the result of its last part. The task id of photos is only in the lost response: they are searched among the newest posts. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  return isVideo(content) && progress.taskId !== undefined
    ? findVideo(call, content, progress, progress.taskId)
    : findPhotos(call, content, progress, committedAfter);
};

/** Nothing is published while a byte is missing. If TikTok failed to publish, the next step finds out why. */
async function findVideo(call: Call, { media }: Content, progress: Progress, taskId: string): Promise<Finding> {
  const { status, uploadedBytes } = await readUpload(call, taskId);
  const size = media[0]?.sizeBytes ?? Infinity;
  if (status === 'PROCESSING_UPLOAD' && (uploadedBytes === undefined || uploadedBytes < size)) {
    if (uploadedBytes === undefined) return { proof: 'none', candidates: [] };
    const resumed = (progress.resumed ?? 0) + 1;
    // An upload that lost its last part twice is unusable, or its hour is over.
    return { proof: 'not_published', candidates: [], retryFrom: resumed > 1 ? fresh(progress) : { ...progress, resumed, askOffset: true } };
  }
  return { proof: 'published', candidates: [{ publishId: taskId, state: { ...progress, committed: true } }] };
}

async function findPhotos(call: Call, content: Content, progress: Progress, committedAfter: Date): Promise<Finding> {
  const query = { fields: 'id,title,video_description,create_time,share_url' };
  const username = progress.creator?.username ?? call.account.username;
  const candidates = await searchNewest<number>(committedAfter, {
    async read(cursor) {
      const { json } = await tiktokCall(call, { path: '/video/list/', query, json: { max_count: SEARCH_SIZE, cursor } });
      const hasMore = at(json, 'data', 'has_more') === true;
      return { entries: listAt(json, 'data', 'videos'), next: hasMore ? numberAt(json, 'data', 'cursor') : undefined };
    },
    madeAt: (post) => inMs(numberAt(post, 'create_time')),
    candidate(post) {
      const postId = stringAt(post, 'id');
      if (postId === undefined || !hasText(post, content)) return undefined;
      const postUrl = webUrl(stringAt(post, 'share_url')) ?? postUrlOf(username, postId);
      return { publishId: postId, state: { ...progress, committed: true, settled: true, postId, postUrl } };
    },
  });
  return { proof: 'none', candidates };
}

const inMs = (seconds: number | undefined) => (seconds === undefined ? undefined : seconds * 1_000);

function hasText(post: unknown, { caption, title }: Content): boolean {
  const [theirTitle, theirText] = [stringAt(post, 'title') ?? '', stringAt(post, 'video_description') ?? ''];
  const isSame = theirText.length >= LISTED_TEXT_LENGTH ? sameBeginning : sameText;
  return isSame(caption, theirText) || (title !== undefined && isSame(`${title} ${caption}`, `${theirTitle} ${theirText}`));
}
