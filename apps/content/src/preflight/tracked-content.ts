import { linkTracker, TRACKED_LENGTH, type CheckedContent, type ContentFinding, type PlatformRules } from '@fanfare/connectors/preflight';
import type { Platform } from '@fanfare/connectors/platform';
import type { CheckedPost } from './checked-post.ts';

/** A content as it is sent. */
export type Track = (content: CheckedContent) => CheckedContent;

/** Returns a function that adds the link tracking of the business to the links of a content, as when the post is sent to the platform. */
export function trackingOf({ tracked }: CheckedPost, platform: Platform, rules: PlatformRules): Track {
  if (!tracked) return (content) => content;
  const { linkTracking, postId: post_id, businessId: business_id } = tracked;
  return linkTracker(linkTracking, { platform, post_id, business_id }, rules);
}

/** Adds to a finding about a text that is too long why it is counted longer than it was written. */
export function withTrackingNote<T extends ContentFinding>(finding: T, given: CheckedContent, sent: CheckedContent): T {
  const of = ({ caption, link, firstComment }: CheckedContent) => ({ caption, link, first_comment: firstComment })[finding.field];
  return finding.rule === 'max_length' && of(given) !== of(sent)
    ? { ...finding, message: `${finding.message} ${TRACKED_LENGTH}` }
    : finding;
}
