import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { publishPostBody } from './bodies/publish-post-body.ts';
import { reviewPostBody } from './bodies/review-post-body.ts';
import { schedulePostBody, toSchedulePostRequest } from './bodies/schedule-post-body.ts';
import { post as postResource, postResult } from './post.ts';
import { postChange } from './post-change.ts';
import { examplePost, exampleScheduledPost, exampleSendingPost } from './post-example.ts';

/** The common part of the operations that change the status of a post. */
const action = {
  tag: 'Posts',
  scope: 'business',
  resource: 'post',
  method: 'post',
  access: access.write,
  idempotent: true,
  params: { business_id: z.uuid(), post_id: z.string() },
  query: {},
  returns: postResource,
  errors: ['conflict', 'precondition_failed'],
} as const;
const pathOf = (name: string) => `/api/businesses/{business_id}/posts/{post_id}/${name}`;

const publishPost = route({
  ...action,
  path: pathOf('publish'),
  operationId: 'publish_post',
  sdkMethod: 'posts.publish',
  summary: 'Publish a post now',
  description:
    'Publishes in the background. The response shows a pending result for each target; poll the post at `Location`. While the post is being published, another call returns the same publication; if a restriction names further targets, the post is published to those too. Calling it for a published post publishes to targets that failed or are new. If a restriction covers only some targets of a SCHEDULED post, the post is published to those now. It stays SCHEDULED for the other targets and becomes PUBLISHED at its scheduled time. Targets that were published ahead are not repeated then, even if they failed.',
  body: publishPostBody,
  status: 202,
  examples: { body: { restrict_publish_to: ['facebook'] }, response: exampleSendingPost },
  async handler({ content, urls }, { body, call, ids, ...exchange }) {
    const { post } = await content.publishPost(
      {
        ...postChange({ ids, ...exchange }),
        publicationId: ids.resourceId,
        restrictPublishTo: body.restrict_publish_to ?? [],
        restrictPublishToIntegrationIds: body.restrict_publish_to_integration_ids ?? [],
        confirmNotPublished: body.confirm_not_published ?? false,
      },
      { call },
    );
    return postResult(post, urls);
  },
});

const schedulePost = route({
  ...action,
  path: pathOf('schedule'),
  operationId: 'schedule_post',
  sdkMethod: 'posts.schedule',
  self: 'resource',
  summary: 'Schedule a post',
  description:
    'Changes the status from NEW, DRAFT or REJECTED to SCHEDULED; a SCHEDULED post gets the new time. Targets, `repeating_cron` and `repeating_timezone` change only if you send them.',
  body: schedulePostBody,
  status: 200,
  examples: { body: { scheduled_publish_time: '2030-08-07T07:00:00Z' }, response: exampleScheduledPost },
  async handler({ content, urls }, { body, call, ...exchange }) {
    return postResult((await content.schedulePost(toSchedulePostRequest(body, postChange(exchange)), { call })).post, urls);
  },
});

const unschedulePost = route({
  ...action,
  path: pathOf('unschedule'),
  operationId: 'unschedule_post',
  sdkMethod: 'posts.unschedule',
  self: 'resource',
  summary: 'Unschedule a post',
  description:
    'Changes the status from SCHEDULED back to NEW, DRAFT or REJECTED, as it was before; or to PUBLISHED if an account already has the post. `repeating_cron` is kept but has no effect until the post is published.',
  body: z.strictObject({}).meta({ id: 'UnschedulePost' }),
  status: 200,
  examples: { body: {}, response: examplePost },
  async handler({ content, urls }, { call, ...exchange }) {
    return postResult((await content.unschedulePost(postChange(exchange), { call })).post, urls);
  },
});

const reviewPost = route({
  ...action,
  path: pathOf('review'),
  operationId: 'review_post',
  sdkMethod: 'posts.review',
  self: 'resource',
  summary: 'Approve or reject a post',
  description: 'Records a review for your team. It does not prevent publishing. The post must be NEW, DRAFT or REJECTED.',
  body: reviewPostBody,
  status: 200,
  examples: {
    body: { decision: 'reject', note: 'Name the street.' },
    response: { ...examplePost, status: 'REJECTED', review_note: 'Name the street.' },
  },
  async handler({ content, urls }, { body, call, ...exchange }) {
    const decision = body.decision === 'approve' ? 'REVIEW_DECISION_APPROVE' : 'REVIEW_DECISION_REJECT';
    const { post } = await content.reviewPost({ ...postChange(exchange), decision, note: body.note ?? undefined }, { call });
    return postResult(post, urls);
  },
});

export const postActionRoutes: readonly Route[] = [publishPost, schedulePost, unschedulePost, reviewPost];
