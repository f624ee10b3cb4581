import type { Call } from '../connector.ts';
import { PlatformFailure } from '../failure.ts';
import { at, listAt, stringAt } from '../fields.ts';
import { xCall } from './x-call.ts';

/** What X calls the fields of a post: in its description since 2.167, and before. It answers by the names that it is asked by. */
const NAMES = { parameter: 'post.fields', note: 'note_post' };
const FORMER_NAMES = { parameter: 'tweet.fields', note: 'note_tweet' };

/** One page of an account's posts, with when they were made, their texts, links and media. */
export type ReadPosts = (query: Readonly<Record<string, string | number | undefined>>) => Promise<unknown>;

/**
 * Reads pages by the names that X takes. It refuses a query parameter that it does not know, and leaves out fields that it does not know, so that only one
 * of the names is sent, and the former one where the other was not understood. A refused read costs nothing.
 */
export function postReader(call: Call): ReadPosts {
  const path = `/users/${call.account.accountId}/tweets`;
  let names = NAMES;
  const ask: ReadPosts = (query) =>
    xCall(call, { method: 'GET', path, query: { ...query, [names.parameter]: `created_at,text,${names.note},entities,attachments` } });
  return async (query) => {
    const response = await ask(query).catch((error: unknown) => {
      if (names === FORMER_NAMES || !(error instanceof PlatformFailure) || error.class !== 'validation') throw error;
      return undefined;
    });
    if (response !== undefined && (names === FORMER_NAMES || !isUndated(response))) return response;
    names = FORMER_NAMES;
    return ask(query);
  };
}

/** The whole of a text that X cuts, by either name; undefined for a text that is whole as it is. */
export const noteOf = (post: unknown): unknown => at(post, 'note_post') ?? at(post, 'note_tweet');

function isUndated(response: unknown): boolean {
  const posts = listAt(response, 'data');
  return posts.length > 0 && posts.every((post) => stringAt(post, 'created_at') === undefined);
}
