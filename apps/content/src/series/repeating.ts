import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../posts/post.ts';
import { checkTimeZone, parseRepeatingCron, zoneAlone } from './repeating-cron.ts';

/** The repetition fields of an edit or a schedule request. */
interface GivenRhythm {
  readonly updateMask?: readonly string[] | undefined;
  readonly repeatingCron?: string | undefined;
  readonly repeatingTimezone?: string | undefined;
}

/**
 * The rules that need no other data than the request. A cron in the post's time zone is checked again when the post was read.
 * @throws DomainError invalid_value, invalid_request
 */
export function checkRhythm({ updateMask = [], repeatingCron, repeatingTimezone }: GivenRhythm, now: Date): void {
  if (repeatingTimezone !== undefined) checkTimeZone(repeatingTimezone);
  if (repeatingCron !== undefined) parseRepeatingCron(repeatingCron, now, repeatingTimezone);
  else if (repeatingTimezone !== undefined && updateMask.includes('repeating_cron')) throw zoneAlone();
}

/**
 * The post with the given repetition; fields that are not in the request keep their values.
 * @throws DomainError conflict if the post can never be published from here, invalid_request if it gets a time zone but does not repeat
 */
export function repeating(post: PostDocument, given: GivenRhythm, now: Date): PostDocument {
  const names = new Set(given.updateMask);
  const cron = names.has('repeating_cron') ? given.repeatingCron : post.repeating_cron;
  const timezone = names.has('repeating_timezone') ? given.repeatingTimezone : post.repeating_timezone;
  if (cron === undefined) {
    if (names.has('repeating_timezone') && timezone !== undefined) throw zoneAlone();
    return once(post);
  }
  const { repeating_cron: before, repeating_timezone: zoneBefore, series_id: _series, series_time: _time, ...alone } = post;
  if (post.status === 'POST_STATUS_PUBLISHED' && post.publication_ids.length === 0) {
    throw new DomainError(
      'conflict',
      'This post records one that was published elsewhere. It cannot be published from here and cannot repeat.',
      {
        param: 'repeating_cron',
      },
    );
  }
  const repeating_cron = parseRepeatingCron(cron, now, timezone);
  // A different cron or time zone starts a new series, in which the times of the old one have no meaning.
  if (repeating_cron === before && (timezone ?? 'UTC') === (zoneBefore ?? 'UTC')) return post;
  return { ...alone, repeating_cron, ...(timezone !== undefined && { repeating_timezone: timezone }) };
}

/** The post without repetition. It stays in the series that it ends. */
export function once(post: PostDocument): PostDocument {
  const { repeating_cron: _cron, repeating_timezone: _zone, series_time: _time, next_content: _next, ...alone } = post;
  return alone;
}
