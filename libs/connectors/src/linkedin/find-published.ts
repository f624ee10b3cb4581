import type { Candidate, Content, Publishing } from '../connector.ts';
import { listAt, numberAt, stringAt } from '../calls/fields.ts';
import { sameText } from '../text/same-text.ts';
import { searchNewest } from '../search-newest.ts';
import { attachedContent } from './attached-content.ts';
import { SEARCH_SIZE } from './limits.ts';
import { linkedinGet } from './linkedin-call.ts';
import { fromLittleText } from '../text/little-text.ts';
import { type Progress, readProgress } from './progress.ts';

/**
 * Reads a page's newest posts. A member's posts cannot be read; the post that LinkedIn named when it rejected a duplicate is then the only trace. It may
 * also be another post of ours with the same text, so it is a candidate and not proof.
 */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const progress = readProgress(state);
  const found = (postId: string): Candidate => ({ publishId: postId, state: { ...progress, postId } });
  if (progress.repeats !== undefined) return { proof: 'none', candidates: [found(progress.repeats)] };
  const author = call.account.accountId;
  if (!author.startsWith('urn:li:organization:')) return { proof: 'none', candidates: [], isUnreadable: true };

  const query = { q: 'author', author, count: SEARCH_SIZE, sortBy: 'CREATED' };
  const candidates = await searchNewest<number>(committedAfter, {
    async read(start) {
      const response = await linkedinGet(call, { path: '/posts', query: { ...query, start }, headers: { 'x-restli-method': 'FINDER' } });
      return { entries: listAt(response, 'elements'), next: nextStart(response, start ?? 0) };
    },
    madeAt: (post) => numberAt(post, 'publishedAt') ?? numberAt(post, 'createdAt'),
    candidate(post) {
      const postId = stringAt(post, 'id');
      return postId !== undefined && looksLike(post, content, progress) ? found(postId) : undefined;
    },
  });
  return { proof: 'none', candidates };
};

/**
 * The start of the next page. A page with fewer posts than requested may have one, at the start that its link says: only a list without a link and
 * with no posts left by its count has ended.
 */
function nextStart(response: unknown, start: number): number | undefined {
  const link = listAt(response, 'paging', 'links').find((one) => stringAt(one, 'rel') === 'next');
  const linked = new URLSearchParams(stringAt(link, 'href')?.split('?')[1]).get('start');
  if (linked !== null && /^\d+$/.test(linked) && Number(linked) > start) return Number(linked);
  const next = start + SEARCH_SIZE;
  return listAt(response, 'elements').length === 0 || next >= (numberAt(response, 'paging', 'total') ?? Infinity) ? undefined : next;
}

/**
 * The same text, the same card or poll, and exactly the images or video that we uploaded. If the progress was lost with a restored database, their number and kinds
 * are compared.
 */
function looksLike(post: unknown, content: Content, progress: Progress): boolean {
  const { caption, media } = content;
  const { uploads } = progress;
  const { article, poll } = attachedContent(content, progress) ?? {};
  const several = listAt(post, 'content', 'multiImage', 'images').map((image) => stringAt(image, 'id'));
  const shown = several.length > 0 ? several : [stringAt(post, 'content', 'media', 'id')].filter((id) => id !== undefined);
  return (
    sameText(caption, fromLittleText(stringAt(post, 'commentary') ?? '')) &&
    withoutSlash(article?.source) === withoutSlash(stringAt(post, 'content', 'article', 'source')) &&
    sameText(poll?.question ?? '', stringAt(post, 'content', 'poll', 'question') ?? '') &&
    shown.length === media.length &&
    shown.every((id, index) => (uploads ? assetOf(id) === assetOf(uploads[index]?.urn) : mayBe(id, media[index])))
  );
}

/** An asset of a kind that does not say what it is may be either. */
const mayBe = (urn: string | undefined, media: Content['media'][number] | undefined): boolean =>
  !urn?.startsWith(media?.type === 'video' ? 'urn:li:image:' : 'urn:li:video:');

/** URLs may come back with a trailing slash added or removed. */
function withoutSlash(address: string | undefined): string | undefined {
  return address?.replace(/\/$/, '');
}

/** LinkedIn uses several kinds of URN for one asset. */
function assetOf(urn: string | undefined): string | undefined {
  return urn?.split(':').at(-1);
}
