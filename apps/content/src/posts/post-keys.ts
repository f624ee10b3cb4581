import { targetKeysOf } from '../targets/target-keys.ts';
import { queueKeysOf } from '../queues/queue-key.ts';
import { seriesKeysOf } from '../series/series-content.ts';
import { mediaIdsOf } from './needed-media.ts';
import type { PostDocument } from './post.ts';
import { publishStatusOf } from './publish-status.ts';
import { wordsOf } from './words.ts';

/**
 * Derives the fields by which lists find the post. Deleted posts have none.
 * @param before its words are reused if the texts are the same
 */
export function withKeys(post: PostDocument, before?: PostDocument): PostDocument {
  const { media_ids: _media, publish_status: _status, target_keys: _targets, ...rest } = post;
  if (rest.deleted_at) return { ...rest, words: [] };
  const media_ids = rest.status === 'POST_STATUS_PUBLISHED' ? [] : mediaIdsOf(rest);
  const publish_status = publishStatusOf(rest);
  return {
    ...rest,
    target_keys: [...targetKeysOf(rest), ...seriesKeysOf(rest), ...queueKeysOf(rest)],
    words: before?.words && textOf(before) === textOf(post) ? before.words : wordsOf(textOf(post)),
    ...(media_ids.length > 0 && { media_ids }),
    ...(publish_status && { publish_status }),
  };
}

/** All texts of the post that searches look in. */
const textOf = ({ caption, platform_overrides }: PostDocument): string =>
  [caption, ...platform_overrides.flatMap((override) => [override.title ?? '', override.caption ?? ''])].join('\n');
