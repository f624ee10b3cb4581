import type { UpdatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../../posts/post.ts';
import { continuesSeries } from '../../series/next-occurrence.ts';
import { contentOf, seriesOf, withContent } from '../../series/series-content.ts';

const param = 'series';

type SeriesRequest = Pick<UpdatePostRequest, 'series' | 'updateMask' | 'repeatingCron'>;

/** Whether the request ends the series of its post, whichever post of the series that is. */
const endsSeries = ({ updateMask = [], repeatingCron }: SeriesRequest): boolean =>
  updateMask.includes('repeating_cron') && repeatingCron === undefined;

/** Whether the request changes nothing but when the series repeats: it ends, even while the post is being published. */
export const onlyEndsSeries = (request: SeriesRequest): boolean =>
  endsSeries(request) && (request.updateMask ?? []).every((name) => name.startsWith('repeating_'));

/** The series that a request to an older post ends; undefined if it ends none. The newest post ends its series itself. */
export const endedSeries = (post: PostDocument, request: SeriesRequest): string | undefined =>
  endsSeries(request) && !continuesSeries(post) ? seriesOf(post) : undefined;

/** @throws DomainError invalid_request if the request changes only this post, and when the series repeats; or those that follow, and the time of this one */
export function checkSeriesEdit({ series, updateMask = [] }: SeriesRequest): void {
  const rhythm = updateMask.find((name) => name.startsWith('repeating_'));
  if (series === 'SERIES_EDIT_THIS' && rhythm !== undefined)
    throw new DomainError('invalid_request', `${rhythm} belongs to the whole series. Leave out series, or send "following".`, {
      param: rhythm,
    });
  if (series === 'SERIES_EDIT_FOLLOWING' && updateMask.includes('scheduled_publish_time'))
    throw new DomainError(
      'invalid_request',
      'scheduled_publish_time is of this post alone. Leave out series, or send "this". When the posts that follow are published is decided by repeating_cron.',
      { param: 'scheduled_publish_time' },
    );
}

/**
 * Applies a change to a post and, if the post is the newest of its series, to what the following ones will be.
 * @throws DomainError invalid_request if the post is in no series, conflict if its next post exists already
 */
export function editSeries(before: PostDocument, change: (post: PostDocument) => PostDocument, request: SeriesRequest): PostDocument {
  const { series } = request;
  const isNewest = continuesSeries(before);
  if (series !== 'SERIES_EDIT_UNSPECIFIED' && seriesOf(before) === undefined)
    throw new DomainError('invalid_request', 'This post is in no series.', { param });
  if (series === 'SERIES_EDIT_FOLLOWING' && !isNewest && !onlyEndsSeries(request))
    throw new DomainError(
      'conflict',
      'This is not the newest post of its series, or the series has ended. Change the newest one. To end the series, send repeating_cron: null and no other field.',
      { param },
    );
  const after = change(before);
  if (!isNewest) return after;
  if (after.repeating_cron === undefined) return after;
  if (series === 'SERIES_EDIT_THIS') return { ...after, next_content: before.next_content ?? contentOf(before) };
  if (!before.next_content) return after;
  return { ...after, next_content: contentOf(change(withContent(before, before.next_content))) };
}
