import { linkTracker, TRACKED_LENGTH, type CheckedContent, type ContentFinding, type PlatformRules } from '@fanfare/connectors/preflight';
import type { Platform } from '@fanfare/connectors/platform';
import type { CheckedPost } from './checked-post.ts';

/** A content as it is sent. */
export type Track = (content: CheckedContent) => CheckedContent;

/** What becomes of the content of a post when it is sent to a platform: its links get what the business adds to them. */
export function trackingOf({ tracked }: CheckedPost, platform: Platform, rules: PlatformRules): Track {
  if (!tracked) return (content) => content;
  const { linkTracking, postId: post_id, businessId: business_id } = tracked;
  return linkTracker(linkTracking, { platform, post_id, business_id }, rules);
}

/** Says of a text that became too long why it counts more than its author wrote. */
export function withTrackingNote<T extends ContentFinding>(finding: T, given: CheckedContent, sent: CheckedContent): T {
  const of = ({ caption, link, firstComment }: CheckedContent) => ({ caption, link, first_comment: firstComment })[finding.field];
  return finding.rule === 'max_length' && of(given) !== of(sent)
    ? { ...finding, message: `${finding.message} ${TRACKED_LENGTH}` }
    : finding;
}
