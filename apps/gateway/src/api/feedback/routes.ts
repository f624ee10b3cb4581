import { DomainError, notFound } from '@fanfare/errors';
import { transaction } from '@fanfare/mongo';
import { currentTime } from '@fanfare/runtime';
import { z } from 'zod';
import { access, findActorName } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import { route, type Exchange, type Route } from '../../http/route.ts';
import { organizationId } from '../common/organization-id.ts';
import { cursorParam, limitParam, nextOf, pageOf } from '../common/page.ts';
import { createFeedbackBody, feedback as resource, feedbackFromStore } from './feedback.ts';
import { exampleFeedback } from './feedback-example.ts';
import { mailOperators } from './mail-operators.ts';
import { findFeedback, listFeedback as list, putFeedback, type FeedbackDocument } from './store/feedback.ts';

const feedback = { tag: 'Feedback', access: access.read, scope: 'organization' } as const;
const inQuery = { organization_id: organizationId() };
/** Feedback never changes. */
const REVISION = 1;

const createFeedback = route({
  ...feedback,
  method: 'post',
  path: '/api/feedback',
  operationId: 'create_feedback',
  duringDeletion: true,
  sdkMethod: 'feedback.create',
  idempotent: true,
  summary: 'Send feedback',
  description: 'Send us a bug report, an idea, praise or anything else. `post_id` must be a post of your organization.',
  params: {},
  query: {},
  body: createFeedbackBody,
  returns: resource,
  status: 201,
  examples: { body: { message: 'Scheduling by week would help us.', category: 'idea' }, response: exampleFeedback },
  async handler(context, { body, organization, ids, call }) {
    const { db, content, mongo } = context;
    if (body.post_id) await checkPost(content, body.post_id, call);
    const { actor } = call.metadata;
    const name = await findActorName(db, actor);
    const given: FeedbackDocument = {
      _id: ids.resourceId,
      organization_id: organization.organizationId,
      message: body.message,
      category: body.category,
      ...(body.page_url && { page_url: body.page_url }),
      ...(body.post_id && { post_id: body.post_id }),
      created_at: currentTime(),
      created_by: actor,
      ...(name !== undefined && { created_by_name: name }),
    };
    const stored = await transaction(mongo.client, async (session) => {
      const first = await putFeedback(db, given, session);
      await mailOperators(context, first, session);
      return first;
    });
    return { body: feedbackFromStore(stored), location: `/api/feedback/${stored._id}`, revision: REVISION };
  },
});

const listFeedback = route({
  ...feedback,
  method: 'get',
  path: '/api/feedback',
  operationId: 'list_feedback',
  sdkMethod: 'feedback.list',
  self: 'page',
  summary: 'List feedback',
  description: 'Feedback that your organization has sent, newest first.',
  params: {},
  query: { ...inQuery, limit: limitParam(20), cursor: cursorParam() },
  returns: pageOf(resource, 'FeedbackPage'),
  status: 200,
  examples: { response: { items: [exampleFeedback], next: null } },
  async handler({ db }, { query, organization }) {
    const page = { pageSize: query.limit, pageToken: query.cursor };
    const { rows, nextPageToken } = await list(db, organization.organizationId, page);
    return { body: { items: rows.map(feedbackFromStore), next: nextOf(nextPageToken) } };
  },
});

const getFeedback = route({
  ...feedback,
  method: 'get',
  path: '/api/feedback/{feedback_id}',
  operationId: 'get_feedback',
  sdkMethod: 'feedback.get',
  self: 'resource',
  summary: 'Get feedback',
  params: { feedback_id: z.string() },
  query: inQuery,
  returns: resource,
  status: 200,
  examples: { response: exampleFeedback },
  async handler({ db }, { params, organization }) {
    const found = await findFeedback(db, organization.organizationId, params.feedback_id);
    if (!found) throw notFound('feedback');
    return { body: feedbackFromStore(found), revision: REVISION };
  },
});

export const feedbackRoutes: readonly Route[] = [createFeedback, listFeedback, getFeedback];

/** @throws DomainError invalid_value, with the same detail for a post that does not exist and one of another organization */
async function checkPost(content: Context['content'], postId: string, call: Exchange<unknown, unknown, unknown>['call']): Promise<void> {
  await content.locatePost({ postId }, { call }).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.code !== 'resource_not_found') throw error;
    throw new DomainError('invalid_value', 'Your organization has no post with this id.', { param: 'post_id' });
  });
}
