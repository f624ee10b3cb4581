import type { MisfirePolicy } from '@fanfare/contracts/content';
import { isPublishing } from '../posts/is-publishing.ts';
import type { PostDocument, ResultDocument } from '../posts/post.ts';
import { newestResults } from '../posts/after-waiting.ts';
import { withReportedRisks } from '../posts/reported-risks.ts';
import { NO_RISK_SOURCES, risksOf } from '../preflight/risks-of.ts';

/** A post that was not published because it was too late, with the reason. Unless its policy is to skip it, it is held: at risk until somebody changes or publishes it. */
export function withTooLate(post: PostDocument, policy: MisfirePolicy, detail: string, at: Date): PostDocument {
  const ended = { ...post, last_failure: { error_type: 'too_late', detail, at } };
  if (policy === 'MISFIRE_POLICY_SKIP') return ended;
  const held = { ...ended, is_held: true as const };
  return withReportedRisks(held, risksOf(held, NO_RISK_SOURCES)).post;
}

/** Accounts that did not get the post because another one was too late. */
const BECAUSE_OF_OTHERS: readonly (string | undefined)[] = ['primary_failed', 'other_target_failed'];

/**
 * Of a post whose publication has just ended: the result that says that it was too late, if it was for all accounts. The post was claimed in time, and the
 * publisher could not begin in time.
 */
export function tooLateResult(before: PostDocument, after: PostDocument): ResultDocument | undefined {
  if (!isPublishing(before) || isPublishing(after) || after.status !== after.verdict) return undefined;
  const newest = newestResults(after);
  const late = newest.filter(({ errorType }) => errorType === 'too_late');
  return newest.every((result) => late.includes(result) || BECAUSE_OF_OTHERS.includes(result.errorType)) ? late[0] : undefined;
}
