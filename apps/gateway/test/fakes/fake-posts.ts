import type { Business, ContentServiceService, Post } from '@fanfare/contracts/content';
import { DomainError, notFound } from '@fanfare/errors';
import type { Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';
import { pageAt } from '../pages.ts';
import { aPost } from '../values.ts';

type Methods =
  | 'createPost'
  | 'getPost'
  | 'locatePost'
  | 'listPosts'
  | 'publishPost'
  | 'unpublishPost'
  | 'updatePost'
  | 'deletePost'
  | 'schedulePost'
  | 'queuePost'
  | 'unschedulePost'
  | 'reviewPost'
  | 'validatePost';

interface Fakes {
  readonly posts: Map<string, Post>;
  readonly businesses: ReadonlyMap<string, Business>;
  readonly holds: ReadonlyMap<string, Promise<void>>;
  readonly note: Note;
}

/** The posts of a fake content service. It applies every change, and checks only the revision. */
export function fakePosts({ posts, businesses, holds, note }: Fakes): Pick<Handlers<typeof ContentServiceService>, Methods> {
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
    async createPost(request, call) {
      note('createPost', request, call);
      await holds.get('createPost');
      const post = aPost({
        id: request.postId,
        businessId: call.metadata.businessId,
        caption: request.caption,
        status: request.status,
        link: request.link,
        metadata: request.metadata,
        restrictPublishTo: request.restrictPublishTo,
        scheduledPublishTime: request.scheduledPublishTime,
        platformOverrides: request.platformOverrides.flatMap(({ override }) => override ?? []),
      });
      posts.set(post.id, post);
      return { post };
    },
    async getPost(request, call) {
      note('getPost', request, call);
      const post = posts.get(request.postId);
      if (post?.businessId !== call.metadata.businessId) throw notFound('post');
      return { post };
    },
    async locatePost(request, call) {
      note('locatePost', request, call);
      const businessId = posts.get(request.postId)?.businessId ?? '';
      if (businesses.get(businessId)?.organizationId !== call.metadata.organizationId) throw notFound('post');
      return { businessId };
    },
    async listPosts(request, call) {
      note('listPosts', request, call);
      const own = [...posts.values()].filter(({ businessId }) => businessId === call.metadata.businessId);
      const { rows, nextPageToken } = pageAt(own, request);
      return { posts: rows, nextPageToken };
    },
    async publishPost(request, call) {
      note('publishPost', request, call);
      const post = posts.get(request.postId);
      if (!post) throw notFound('post');
      return { post };
    },
    async unpublishPost(request, call) {
      note('unpublishPost', request, call);
      const post = posts.get(request.postId);
      if (!post) throw notFound('post');
      return { post };
    },
    async updatePost(request, call) {
      note('updatePost', request, call);
      return change(request, call.metadata.businessId, (request.updateMask ?? []).includes('caption') ? { caption: request.caption } : {});
    },
    async deletePost(request, call) {
      note('deletePost', request, call);
      const changed = change(request, call.metadata.businessId, {});
      posts.delete(request.postId);
      return changed;
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
