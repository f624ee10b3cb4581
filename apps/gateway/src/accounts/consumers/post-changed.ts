import type { PublishResult } from '@fanfare/contracts/content';
import type { PostChanged } from '@fanfare/contracts/content/events';
import type { EventsHandler } from '@fanfare/events';
import type { Context } from '../../context.ts';
import { addNotices, type NewNotice } from '../notices/add-notices.ts';
import type { FailureDocument } from '../store/notices.ts';

/** Whether the event is about a publication that ended with failures. Most events are not. */
export const hasFailed = ({ changes, failedResults, lastFailure }: PostChanged): boolean =>
  changes.includes('POST_CHANGE_ENDED') && (failedResults.length > 0 || lastFailure !== undefined);

/** Adds a notice of the failures of a publication that has ended: one for each publication. */
export const postChanged =
  (context: Context): EventsHandler<PostChanged> =>
  async (events, session) => {
    await addNotices(
      context,
      events.flatMap(({ data }) => failuresOf(data)),
      session,
    );
  };

function failuresOf({ postId, organizationId, businessId, author, failedResults, lastFailure, publicationId }: PostChanged): NewNotice[] {
  const notice = (what: string, at: Date | undefined, failures: FailureDocument[]): NewNotice => ({
    _id: `post:${postId}:${what}`,
    kind: 'post_failed',
    organization_id: organizationId,
    business_id: businessId,
    subject_id: postId,
    author,
    failures,
    at,
  });
  const byPublication = Map.groupBy(failedResults, ({ publicationId }) => publicationId);
  const ended = [...byPublication].map(([publicationId, results]) => notice(publicationId, newest(results), results.map(toFailure)));
  // If all of its deliveries were too late, the post says so too.
  if (!lastFailure || byPublication.has(publicationId ?? '')) return ended;
  const { errorType, detail, at } = lastFailure;
  const inVain = { platform: '', integration_id: '', error_type: errorType, message: detail };
  return [...ended, notice(String(at?.getTime()), at, [inVain])];
}

const newest = (results: readonly PublishResult[]): Date | undefined =>
  new Date(Math.max(...results.map(({ updatedAt }) => updatedAt?.getTime() ?? 0)));

const toFailure = ({ platform, integrationId, errorType = '', errorMessage = '' }: PublishResult): FailureDocument => ({
  platform,
  integration_id: integrationId,
  error_type: errorType,
  message: errorMessage,
});
