import type { UpdatePostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import type { PostDocument } from '../posts/post.ts';
import { withField } from '../posts/with-field.ts';
import { contentOf, seriesOf, withContent } from '../series/series-content.ts';

const param = 'series';

/** @throws DomainError invalid_request if the request changes only this post, and when the series repeats; or those that follow, and the time of this one */
export function checkSeriesEdit({ series, updateMask = [] }: Pick<UpdatePostRequest, 'series' | 'updateMask'>): void {
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
export function editSeries(
  before: PostDocument,
  change: (post: PostDocument) => PostDocument,
  series: UpdatePostRequest['series'],
): PostDocument {
  const isNewest = before.repeating_cron !== undefined && !before.is_followed;
  if (series !== 'SERIES_EDIT_UNSPECIFIED' && seriesOf(before) === undefined)
    throw new DomainError('invalid_request', 'This post is in no series.', { param });
  if (series === 'SERIES_EDIT_FOLLOWING' && !isNewest)
    throw new DomainError('conflict', 'The next post of this series exists already. Change that one.', { param });
  const after = change(before);
  if (!isNewest) return after;
  if (after.repeating_cron === undefined) return withField(after, 'next_content', undefined);
  if (series === 'SERIES_EDIT_THIS') return { ...after, next_content: before.next_content ?? contentOf(before) };
  if (!before.next_content) return after;
  return { ...after, next_content: contentOf(change(withContent(before, before.next_content))) };
}
