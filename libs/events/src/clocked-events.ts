import type { Db } from 'mongodb';
import { findInInbox } from './store/inbox-rows.ts';
import { forgetEvents, listNotedEvents, type NotedEvent } from './store/noted-events.ts';
import type { Subscription } from './subscription.ts';

/** The events of one service, for test clocks: before a clock moves on, everybody has handled the events from before. */
export interface ClockedEvents {
  /** Those of an organization with a moved clock that the service has emitted, and that were not forgotten. */
  emitted(organizationId: string): Promise<NotedEvent[]>;
  /** All services have handled them. */
  forget(organizationId: string, ids: readonly string[]): Promise<void>;
  /** Those that the service has to handle and has not. */
  unhandled(events: readonly NotedEvent[]): Promise<string[]>;
}

/** @param options.subscriptions of the service; none if it only emits events */
export function clockedEvents({
  db,
  group,
  subscriptions,
}: {
  db: Db;
  group: string;
  subscriptions: readonly Pick<Subscription, 'topic'>[];
}): ClockedEvents {
  const topics = new Set(subscriptions.map(({ topic }) => topic.name));
  return {
    emitted: (organizationId) => listNotedEvents(db, organizationId),
    forget: (organizationId, ids) => forgetEvents(db, organizationId, ids),
    async unhandled(events) {
      const ours = events.filter(({ topic }) => topics.has(topic)).map(({ id }) => id);
      if (ours.length === 0) return [];
      const handled = await findInInbox(db, group, ours);
      return ours.filter((id) => !handled.has(id));
    },
  };
}
