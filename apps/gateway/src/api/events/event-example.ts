import { EVENT_TYPES, type EventTypeName } from '@fanfare/resources';
import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import { exampleEndedPosts, examplePost, examplePostAtRisk, exampleScheduledPost, exampleUnpublishedPost } from '../posts/post-example.ts';
import { exampleAccountStats, examplePostStats } from '../analytics/analytics-example.ts';
import { exampleFailedJob, exampleJob } from '../generation/job-example.ts';
import { exampleIntegration } from '../integrations/integration-example.ts';
import { exampleFailedMedia, exampleMedia } from '../media/media-example.ts';
import { exampleQueue } from '../queues/queue-example.ts';
import { exampleWebhook } from '../webhooks/webhook-example.ts';
import type { post } from '../posts/post.ts';
import type { event, EventBody } from './event.ts';

/** For the OpenAPI description. */
export const exampleEvent: z.input<typeof event> = {
  id: EXAMPLE_IDS.event_id,
  type: 'post.published',
  timestamp: '2026-08-06T09:30:04.000Z',
  sequence: 1042,
  business_id: EXAMPLE_IDS.business_id,
  revision: 6,
  actor: 'system:publisher',
  request_id: null,
  data: exampleEndedPosts['post.published'],
  previous: { status: 'SCHEDULED', published_at: null, publish_status: null, publish_results: [] },
};

const KEY = 'key:0197f3a1-88bb-7d14-9f32-5c2010703e11';
const byRequest = { actor: KEY, request_id: 'req_01K2M3N4P5Q6R7S8T9V0W1X2Y3' };

/** What differs between the events of a post. */
interface PostExample {
  readonly data: z.input<typeof post>;
  readonly previous: Record<string, unknown> | null;
  readonly actor?: string;
  readonly request_id?: string;
}

function postExampleOf(type: string): PostExample {
  switch (type) {
    case 'post.published':
    case 'post.partially_published':
    case 'post.failed':
      return { data: exampleEndedPosts[type], previous: exampleEvent.previous };
    case 'post.unpublished': {
      const { publish_results } = exampleUnpublishedPost('pending');
      return { data: exampleUnpublishedPost('removed'), previous: { publish_results } };
    }
    case 'post.at_risk':
      return { actor: 'system:content', data: examplePostAtRisk, previous: { at_risk: null } };
    case 'post.scheduled':
      return { ...byRequest, data: exampleScheduledPost, previous: { status: 'NEW', scheduled_publish_time: null } };
    case 'post.unscheduled':
      return { ...byRequest, data: examplePost, previous: { status: 'SCHEDULED', scheduled_publish_time: '2026-08-07T07:00:00.000Z' } };
    case 'post.approved':
      return { ...byRequest, data: { ...examplePost, status: 'DRAFT' }, previous: { status: 'NEW' } };
    case 'post.rejected':
      return {
        ...byRequest,
        data: { ...examplePost, status: 'REJECTED', review_note: 'Which bread?' },
        previous: { status: 'NEW', review_note: null },
      };
    case 'post.updated':
      return { ...byRequest, data: examplePost, previous: { caption: 'Fresh bread.' } };
    default:
      return { ...byRequest, data: examplePost, previous: null };
  }
}

/** One of each type. */
export const exampleEventOf = (type: EventTypeName): EventBody => {
  const { resource } = EVENT_TYPES[type];
  const common = { ...exampleEvent, id: EXAMPLE_IDS.event_id, previous: null };
  switch (resource) {
    case 'post':
      return { ...common, ...postExampleOf(type), type };
    case 'queue':
      return { ...common, actor: 'system:content', data: { ...exampleQueue, post_count: 0, next_publish_time: null }, type };
    case 'post_stats':
      return { ...common, actor: 'system:analytics', revision: 24, data: examplePostStats, type };
    case 'account_stats':
      return {
        ...common,
        actor: 'system:analytics',
        revision: 20260806,
        data: { ...exampleAccountStats, metrics: null, start_date: '2026-08-06' },
        type,
      };
    case 'integration': {
      const status = type.replace('integration.', '');
      const reconnect_url = status === 'connected' ? null : 'https://app.example.com/reconnect';
      return { ...common, actor: 'system:publisher', data: { ...exampleIntegration, status, reconnect_url }, type };
    }
    case 'media':
      return { ...common, actor: 'system:library', data: type === 'media.failed' ? exampleFailedMedia : exampleMedia, type };
    case 'job':
      return { ...common, actor: 'system:generation', data: type === 'job.failed' ? exampleFailedJob : exampleJob, type };
    case 'webhook':
      return type === 'webhook.disabled'
        ? {
            ...common,
            business_id: null,
            actor: 'system:webhooks',
            data: { ...exampleWebhook, enabled: false, disabled_reason: 'failing' },
            type,
          }
        : { ...common, ...byRequest, business_id: null, data: exampleWebhook, type };
  }
};
