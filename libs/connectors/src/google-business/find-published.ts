import type { Content, Publishing } from '../connector.ts';
import { listAt, stringAt } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { sameText } from '../text/same-text.ts';
import { searchNewest } from '../search-newest.ts';
import { rules } from './errors.ts';
import { POSTS_URL, SEARCH_SIZE } from './limits.ts';
import { eventTitleOf, topicTypeOf } from './local-post.ts';
import { readProgress } from './progress.ts';

/** Reads the location's newest posts. Google cannot prove that a post was not created; a rejected post is found as well and then fails. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const url = `${POSTS_URL}/${call.account.accountId}/localPosts`;
  const candidates = await searchNewest<string>(committedAfter, {
    async read(pageToken) {
      const response = await googleCall(call, { method: 'GET', url, query: { pageSize: SEARCH_SIZE, pageToken } }, rules);
      return { entries: listAt(response, 'localPosts'), next: stringAt(response, 'nextPageToken') };
    },
    madeAt: (post) => stringAt(post, 'createTime'),
    candidate(post) {
      const name = stringAt(post, 'name');
      return name !== undefined && looksLike(post, content) ? { publishId: name, state: { ...readProgress(state), name } } : undefined;
    },
  });
  return { proof: 'none', candidates };
};

function looksLike(post: unknown, content: Content): boolean {
  return (
    sameText(content.caption, stringAt(post, 'summary') ?? '') &&
    (stringAt(post, 'topicType') ?? 'STANDARD') === topicTypeOf(content) &&
    // Only this distinguishes two events without a summary.
    sameText(eventTitleOf(content) ?? '', stringAt(post, 'event', 'title') ?? '') &&
    listAt(post, 'media').length === content.media.length
  );
}
