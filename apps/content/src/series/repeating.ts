import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../posts/post.ts';
import { checkTimeZone, parseRepeatingCron, zoneAlone } from './repeating-cron.ts';

/** What an edit or a schedule says of repeating. */
interface GivenRhythm {
  readonly updateMask?: readonly string[] | undefined;
  readonly repeatingCron?: string | undefined;
  readonly repeatingTimezone?: string | undefined;
}

/**
 * Rules that need not know the post. A cron whose zone is the post's is read again when that is known.
 * @throws DomainError invalid_value, invalid_request
 */
export function checkRhythm({ updateMask = [], repeatingCron, repeatingTimezone }: GivenRhythm, now: Date): void {
  if (repeatingTimezone !== undefined) checkTimeZone(repeatingTimezone);
  if (repeatingCron !== undefined) parseRepeatingCron(repeatingCron, now, repeatingTimezone);
  else if (repeatingTimezone !== undefined && updateMask.includes('repeating_cron')) throw zoneAlone();
}

/**
 * The post in the rhythm that is given; what is not named stays.
 * @throws DomainError conflict for a post that is never sent from here, invalid_request for a zone of one that does not repeat
 */
export function repeating(post: PostDocument, given: GivenRhythm, now: Date): PostDocument {
  const names = new Set(given.updateMask);
  const cron = names.has('repeating_cron') ? given.repeatingCron : post.repeating_cron;
  const timezone = names.has('repeating_timezone') ? given.repeatingTimezone : post.repeating_timezone;
  const { repeating_cron: before, repeating_timezone: zoneBefore, series_id: _series, series_time: _time, ...alone } = post;
  if (cron === undefined) {
    if (names.has('repeating_timezone') && timezone !== undefined) throw zoneAlone();
    return alone;
  }
  if (post.status === 'POST_STATUS_PUBLISHED' && post.publication_ids.length === 0) {
    throw new DomainError(
      'conflict',
      'This post records one that was published elsewhere. It is never published from here and cannot repeat.',
      {
        param: 'repeating_cron',
      },
    );
  }
  const repeating_cron = parseRepeatingCron(cron, now, timezone);
  // Another rhythm begins another series: times of the old one say nothing about what follows in it.
  if (repeating_cron === before && (timezone ?? 'UTC') === (zoneBefore ?? 'UTC')) return post;
  return { ...alone, repeating_cron, ...(timezone !== undefined && { repeating_timezone: timezone }) };
}
