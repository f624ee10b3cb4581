import type { Publishing } from '../connector.ts';
import { at, listAt, stringAt } from '../calls/fields.ts';
import { sameText } from '../text/same-text.ts';
import { CLOCK_SKEW_MS, searchNewest } from '../search-newest.ts';
import { SEARCH_SIZE } from './limits.ts';
import { readProgress } from './progress.ts';
import { postUrlOf, textOf } from './publish.ts';
import { noteOf, postReader } from './read-posts.ts';

/** Reads only the account's posts since the commit: X charges for each. X cannot prove that a post was not created. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const query = {
    max_results: SEARCH_SIZE,
    start_time: new Date(committedAfter.getTime() - CLOCK_SKEW_MS).toISOString(),
    exclude: 'retweets',
  };
  const readPosts = postReader(call);
  const ours = comparable(textOf(content));
  const candidates = await searchNewest<string>(committedAfter, {
    async read(cursor) {
      const response = await readPosts({ ...query, pagination_token: cursor });
      return { entries: listAt(response, 'data'), next: stringAt(response, 'meta', 'next_token') };
    },
    madeAt: (post) => stringAt(post, 'created_at'),
    candidate(post) {
      const postId = stringAt(post, 'id');
      const hasMedia = listAt(post, 'attachments', 'media_keys').length > 0;
      const fits = hasMedia === content.media.length > 0 && sameText(ours, comparable(asWritten(post)));
      if (postId === undefined || !fits) return undefined;
      return { publishId: postId, state: { ...readProgress(state), postId, postUrl: postUrlOf(call.account.username, postId) } };
    },
  });
  return { proof: 'none', candidates };
};

/** Reverts X's changes to a text: X truncates a long one (its note has the whole), escapes HTML, shortens links and appends one for the media. */
function asWritten(post: unknown): string {
  const note = noteOf(post);
  const urls = [...listAt(note, 'entities', 'urls'), ...listAt(post, 'entities', 'urls')];
  const shortened = urls.reduce<string>(
    (text, entity) => {
      const short = stringAt(entity, 'url');
      const expanded = stringAt(entity, 'expanded_url') ?? '';
      const isMedia = at(entity, 'media_key') !== undefined || /\/status\/\d+\/(photo|video)\/\d+$/.test(expanded);
      return short === undefined ? text : text.replaceAll(short, isMedia ? '' : expanded);
    },
    stringAt(note, 'text') ?? stringAt(post, 'text') ?? '',
  );
  return shortened.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** X adds a scheme and a slash to URLs that were written without. */
function comparable(text: string): string {
  return text.replace(/https?:\/\//gi, '').replace(/\/(?=\s|$)/g, '');
}
