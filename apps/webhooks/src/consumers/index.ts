import { topics } from '@fanfare/contracts';
import { onAll, type EventsHandler, type Received, type Subscription } from '@fanfare/events';
import { isCanary } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { appendEvents } from '../feed/append-events.ts';
import type { NewEvent } from '../feed/event.ts';
import { integrationEvent } from './integration-event.ts';
import { jobEvent } from './job-event.ts';
import { mediaEvent } from './media-event.ts';
import { postEvent } from './post-event.ts';
import { queueEvent } from './queue-event.ts';
import { accountSnapshotEvent, MILESTONE_HOURS, postSnapshotEvent } from './snapshot-event.ts';

export const subscriptions = (context: Context): readonly Subscription[] => {
  const { urls } = context;
  const appending =
    <T>(toEvent: (received: Received<T>) => NewEvent | undefined): EventsHandler<T> =>
    (received, session) =>
      appendEvents(
        context,
        session,
        // Nobody reads the canary's feed.
        received.flatMap((event) => (isCanary(event.organizationId) ? [] : [toEvent(event)])).filter((event) => event !== undefined),
      );
  return [
    onAll(topics.postChanged, appending(postEvent(urls)), { concerns: ({ post }) => post !== undefined }),
    onAll(topics.queueEmptied, appending(queueEvent)),
    onAll(topics.integrationChanged, appending(integrationEvent(urls))),
    onAll(topics.mediaChanged, appending(mediaEvent), {
      concerns: ({ change }) => change === 'MEDIA_CHANGE_READY' || change === 'MEDIA_CHANGE_FAILED',
    }),
    onAll(topics.jobCompleted, appending(jobEvent)),
    onAll(topics.jobFailed, appending(jobEvent)),
    onAll(topics.postSnapshotTaken, appending(postSnapshotEvent), { concerns: ({ snapshot }) => snapshot?.ageHours === MILESTONE_HOURS }),
    onAll(topics.accountSnapshotTaken, appending(accountSnapshotEvent)),
  ];
};
