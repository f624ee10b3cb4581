import { z } from 'zod';
import { access } from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { publishPostBody } from './bodies/publish-post-body.ts';
import { reviewPostBody } from './bodies/review-post-body.ts';
import { queuePostBody, toQueuePostRequest } from './bodies/queue-post-body.ts';
import { schedulePostBody, toSchedulePostRequest } from './bodies/schedule-post-body.ts';
import { unpublishPostBody } from './bodies/unpublish-post-body.ts';
import { post as postResource, postResult } from './post.ts';
import { postChange } from './post-change.ts';
import { examplePost, exampleQueuedPost, exampleScheduledPost, exampleSendingPost, exampleUnpublishedPost } from './post-example.ts';

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
    'Publishes in the background. The response shows a pending result for each target; poll the post at `Location`. While the post is being published, another call returns the same publication; if a restriction names further targets, the post is published to those too. A call for a published post publishes it to targets that failed or are new. If a restriction covers only some targets of a SCHEDULED post, the post is published to those now. It stays SCHEDULED for the other targets and becomes PUBLISHED at its scheduled time. Targets that were published ahead are not repeated then, even if they failed.',
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

const unpublishPost = route({
  ...action,
  path: pathOf('unpublish'),
  operationId: 'unpublish_post',
  duringDeletion: true,
  sdkMethod: 'posts.unpublish',
  summary: 'Unpublish a post',
  description:
    'Removes a published post from its platforms, in the background. Each selected target that has the post gets a `removal` in its result; poll the post at `Location` until no `removal` is pending, or wait for `post.unpublished`. The `status` of the post stays PUBLISHED and that of its results success, because they say what was published. When the platform no longer has the post, `removal.status` is `removed`. The post is not published again to targets from which it was removed, and a series continues. A post that somebody deleted on the platform counts as removed. Platforms without the capability `unpublish` (see `list_platforms`) get `not_supported`, with the link where a person can delete the post. A target whose `error_type` is unknown_outcome is never removed, because it is unknown whether it has the post. Rejected with 409 `conflict` while the post is being published, and if no selected target certainly has the post. Another call does nothing for targets that are removed or pending, and retries failed ones.',
  body: unpublishPostBody,
  status: 202,
  examples: { body: { restrict_publish_to: ['x'] }, response: exampleUnpublishedPost('pending') },
  async handler({ content, urls }, { body, call, ...exchange }) {
    const { post } = await content.unpublishPost(
      {
        ...postChange(exchange),
        restrictPublishTo: body.restrict_publish_to ?? [],
        restrictPublishToIntegrationIds: body.restrict_publish_to_integration_ids ?? [],
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
    'Changes the status from NEW, DRAFT or REJECTED to SCHEDULED; a SCHEDULED post gets the new time. A post in a queue leaves the queue; if it has no targets of its own, it keeps those of the queue. Targets, `repeating_cron`, `repeating_timezone` and `misfire_policy` change only if you send them.',
  body: schedulePostBody,
  status: 200,
  examples: { body: { scheduled_publish_time: '2030-08-07T07:00:00Z' }, response: exampleScheduledPost },
  async handler({ content, urls }, { body, call, ...exchange }) {
    return postResult((await content.schedulePost(toSchedulePostRequest(body, postChange(exchange)), { call })).post, urls);
  },
});

const queuePost = route({
  ...action,
  path: pathOf('queue'),
  operationId: 'queue_post',
  sdkMethod: 'posts.queue',
  self: 'resource',
  summary: 'Put a post into a queue',
  description:
    'The post becomes SCHEDULED without a `scheduled_publish_time`: it is published when it is the first post of the queue at one of the slots. The same call moves a post to another position or queue. A post without targets of its own is published to those of the queue; if it is moved to another queue, it keeps those of the first queue as its `restrict_publish_to`. Posts that repeat cannot be in a queue.',
  body: queuePostBody,
  status: 200,
  examples: { body: { position: 'first' }, response: exampleQueuedPost },
  async handler({ content, urls }, { body, call, ...exchange }) {
    return postResult((await content.queuePost(toQueuePostRequest(body, postChange(exchange)), { call })).post, urls);
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
    'Takes the post out of its queue, if it is in one; the targets that it got from the queue become its `restrict_publish_to`. Changes the status from SCHEDULED back to NEW, DRAFT or REJECTED, as it was before; or to PUBLISHED if an account already has the post. `repeating_cron` is kept but has no effect until the post is published.',
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

export const postActionRoutes: readonly Route[] = [publishPost, unpublishPost, schedulePost, queuePost, unschedulePost, reviewPost];
