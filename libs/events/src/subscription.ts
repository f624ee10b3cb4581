import type { Topic } from '@fanfare/contracts';
import type { ClientSession } from 'mongodb';
import type { Received } from './cloud-event.ts';

/**
 * Handles one event inside a transaction that already contains the event's inbox row. It writes to its own database through the session and does
 * nothing else: calls to platforms, services or the web are made from the rows that it writes, never here. It may run again, or after others in the
 * same transaction.
 */
export type EventHandler<T> = (event: Received<T>, session: ClientSession) => Promise<void>;

/** Handles several events, in the order of their partition. They take effect together, or each by itself. */
export type EventsHandler<T> = (events: readonly Received<T>[], session: ClientSession) => Promise<void>;

/** One topic and its handler. */
export interface Subscription {
  readonly topic: Topic<unknown>;
  readonly handle: EventsHandler<unknown>;
  readonly concerns: (data: unknown) => boolean;
}

/** Which of these organizations and businesses are erased. */
export type FindErased = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

interface Choice<T> {
  /** Selects the events that the handler does something for. The others cost no transaction and leave nothing in the inbox. Default: all. */
  readonly concerns?: (data: T) => boolean;
}

/** Handles events one after the other. */
export const on = <T>(topic: Topic<T>, handle: EventHandler<T>, choice?: Choice<T>): Subscription =>
  onAll(
    topic,
    async (events, session) => {
      for (const event of events) await handle(event, session);
    },
    choice,
  );

/** Handles events together, if that needs fewer round trips than one after the other. */
export const onAll = <T>(topic: Topic<T>, handle: EventsHandler<T>, { concerns = () => true }: Choice<T> = {}): Subscription => ({
  topic,
  handle: handle as EventsHandler<unknown>,
  concerns: concerns as (data: unknown) => boolean,
});
