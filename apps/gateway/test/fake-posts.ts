import type { ContentServiceService, Post } from '@fanfare/contracts/content';
import { DomainError, notFound } from '@fanfare/errors';
import type { CallMetadata, Handlers } from '@fanfare/rpc';

type Changes = 'updatePost' | 'deletePost' | 'schedulePost' | 'queuePost' | 'unschedulePost' | 'reviewPost' | 'validatePost';

/** The methods of a fake content service that change posts. It applies every change, and checks only the revision. */
export function fakePosts(
  posts: Map<string, Post>,
  note: (method: string, request: unknown, call: { metadata: CallMetadata }) => void,
): Pick<Handlers<typeof ContentServiceService>, Changes> {
  function change({ postId, expectedRevisions }: { postId: string; expectedRevisions: number[] }, businessId: string, more: Partial<Post>) {
    const before = posts.get(postId);
    if (before?.businessId !== businessId) throw notFound('post');
    if (expectedRevisions.length > 0 && !expectedRevisions.includes(before.revision)) {
      throw new DomainError('precondition_failed', 'It has changed.');
    }
    const post = { ...before, ...more, revision: before.revision + 1 };
    posts.set(postId, post);
    return { post };
  }
  return {
    async updatePost(request, call) {
      note('updatePost', request, call);
      return change(request, call.metadata.businessId, (request.updateMask ?? []).includes('caption') ? { caption: request.caption } : {});
    },
    async deletePost(request, call) {
      note('deletePost', request, call);
      change(request, call.metadata.businessId, {});
      posts.delete(request.postId);
      return {};
    },
    async schedulePost(request, call) {
      note('schedulePost', request, call);
      const { scheduledPublishTime, repeatingCron } = request;
      return change(request, call.metadata.businessId, { status: 'POST_STATUS_SCHEDULED', scheduledPublishTime, repeatingCron });
    },
    async queuePost(request, call) {
      note('queuePost', request, call);
      const queue = { queueId: request.queueId ?? 'q1', position: request.position ?? 9, estimatedPublishTime: undefined };
      return change(request, call.metadata.businessId, { status: 'POST_STATUS_SCHEDULED', queue });
    },
    async unschedulePost(request, call) {
      note('unschedulePost', request, call);
      return change(request, call.metadata.businessId, { status: 'POST_STATUS_NEW', scheduledPublishTime: undefined });
    },
    async reviewPost(request, call) {
      note('reviewPost', request, call);
      const isApproved = request.decision === 'REVIEW_DECISION_APPROVE';
      return change(request, call.metadata.businessId, {
        status: isApproved ? 'POST_STATUS_DRAFT' : 'POST_STATUS_REJECTED',
        reviewNote: request.note,
      });
    },
    async validatePost(request, call) {
      note('validatePost', request, call);
      const severity = request.post?.caption === '' ? 'FINDING_SEVERITY_ERROR' : 'FINDING_SEVERITY_WARNING';
      const found = {
        ruleId: 'some_rule',
        severity,
        detail: 'Look at it.',
        limit: undefined,
        value: undefined,
        source: undefined,
        fix: [],
      } as const;
      const fix = [{ op: 'add', path: '/platform_overrides/0/caption', value: 'Short.' }];
      return {
        findings: [
          { ...found, platform: 'x', field: 'caption', limit: 280, value: 300, source: 'https://docs.x.com/', fix },
          { ...found, severity: 'FINDING_SEVERITY_WARNING', platform: undefined, field: undefined, fix: [] },
        ],
        fix,
      };
    },
  };
}
