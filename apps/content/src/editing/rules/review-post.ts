import type { ReviewPostRequest } from '@fanfare/contracts/content';
import { DomainError } from '@fanfare/errors';
import { withField } from '../../posts/with-field.ts';
import type { Edit } from './edit.ts';

/** Approval sets DRAFT, rejection sets REJECTED. A post can be reviewed any number of times; the note of the last review is stored. */
export function reviewPost({ decision, note }: ReviewPostRequest): Edit {
  return (before) => {
    if (before.status === 'POST_STATUS_SCHEDULED') {
      throw new DomainError('conflict', 'This post is scheduled. Unschedule it before you review it.');
    }
    if (before.status === 'POST_STATUS_PUBLISHED')
      throw new DomainError('conflict', 'This post is published and can no longer be reviewed.');
    const isApproved = decision === 'REVIEW_DECISION_APPROVE';
    const verdict = isApproved ? 'POST_STATUS_DRAFT' : 'POST_STATUS_REJECTED';
    return {
      post: { ...withField(before, 'review_note', note), status: verdict, verdict },
      changes: [isApproved ? 'POST_CHANGE_APPROVED' : 'POST_CHANGE_REJECTED'],
    };
  };
}

/** @throws DomainError missing_field */
export function checkReview({ decision }: ReviewPostRequest): void {
  if (decision !== 'REVIEW_DECISION_UNSPECIFIED') return;
  throw new DomainError('missing_field', 'Set decision to approve or reject.', { param: 'decision' });
}
