import type { Call } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, listAt, stringAt } from '../calls/fields.ts';
import { xCall } from './x-call.ts';

/** X's names for the fields of a post: since version 2.167 of its description, and before. X responds with the names that were requested. */
const NAMES = { parameter: 'post.fields', note: 'note_post' };
const FORMER_NAMES = { parameter: 'tweet.fields', note: 'note_tweet' };

/** One page of an account's posts, with their times, texts, links and media. */
type ReadPosts = (query: Readonly<Record<string, string | number | undefined>>) => Promise<unknown>;

/**
 * Reads pages by the names that X accepts. X rejects unknown query parameters and omits unknown fields, so only one
 * of the names is sent, and the old one if the new one is not known. A rejected read is free.
 */
export function postReader(call: Call): ReadPosts {
  const path = `/users/${call.account.accountId}/tweets`;
  let names = NAMES;
  const read: ReadPosts = (query) =>
    xCall(call, { method: 'GET', path, query: { ...query, [names.parameter]: `created_at,text,${names.note},entities,attachments` } });
  return async (query) => {
    const response = await read(query).catch((error: unknown) => {
      if (names === FORMER_NAMES || !(error instanceof PlatformFailure) || error.class !== 'validation') throw error;
      return undefined;
    });
    if (response !== undefined && (names === FORMER_NAMES || !isUndated(response))) return response;
    names = FORMER_NAMES;
    return read(query);
  };
}

/** The full text of a truncated post, by either name; undefined if the text is not truncated. */
export const noteOf = (post: unknown): unknown => at(post, 'note_post') ?? at(post, 'note_tweet');

function isUndated(response: unknown): boolean {
  const posts = listAt(response, 'data');
  return posts.length > 0 && posts.every((post) => stringAt(post, 'created_at') === undefined);
}
