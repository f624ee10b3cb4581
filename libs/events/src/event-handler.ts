import { context, type Context } from '@opentelemetry/api';
import { backoffMs, counter, grouped, histogram, now, type Logger } from '@fanfare/runtime';
import type { KafkaMessage } from 'kafkajs';
import { MongoError, type Db, type MongoClient } from 'mongodb';
import { fromMessage, traceContext, type Received } from './cloud-event.ts';
import { textHeaders, type DeadLetters } from './dead-letters/dead-letters.ts';
import { handleOnce, type Handled } from './handle-once.ts';
import type { FindErased, Subscription } from './subscription.ts';

/** An event whose handler fails this often, for a reason that is not the database's, becomes a dead letter. */
const MAX_ATTEMPTS = 5;
/** A topic has six of them (kafka.ts). */
export const MOST_PARTITIONS_TOGETHER = 6;

/** Events that were read from one partition and are handled together. */
interface Batch {
  readonly events: readonly Received<unknown>[];
  /** The data of each event. */
  readonly trace: readonly Context[];
  /** Whether this process still owns the partition. */
  goOn(): boolean;
}

/** Handles the events that were read, once each. */
export interface EventHandler {
  /** In one transaction. Returns false if they have to be handled one by one. */
  handleTogether(subscription: Subscription, messages: readonly KafkaMessage[], goOn: () => boolean): Promise<boolean>;
  /** Retries until the message is handled or given up. Returns false if the partition was revoked before that. */
  handleUntilDone(subscription: Subscription, message: KafkaMessage, goOn: () => boolean): Promise<boolean>;
  /** The event that has been handled for longest: its topic, and for how many milliseconds. */
  oldest(): { readonly topic: string; readonly forMs: number } | undefined;
}

export function createEventHandler(options: {
  group: string;
  subscriptions: readonly Subscription[];
  findErased: FindErased;
  mongo: { client: MongoClient; db: Db };
  deadLetters: DeadLetters;
  log: Logger;
  /** Whether test clocks wait until this service has seen an event. Default: no. */
  followsClocks?: boolean;
  /** Called after each transaction of events has committed. */
  afterCommit: () => void;
}): EventHandler {
  const { group, deadLetters, log, followsClocks = false } = options;
  const handled = counter('fanfare_events_handled_total', 'Attempts to handle an event, by outcome.', ['topic', 'outcome']);
  const delay = histogram('fanfare_event_delay_seconds', 'Time from when an event was written until it was handled.', ['topic']);
  // One transaction per topic at a time: concurrent ones on the same rows would only make each other start again.
  const together = new Map(
    options.subscriptions.map((subscription) => [
      subscription,
      grouped<Batch, boolean>({ most: MOST_PARTITIONS_TOGETHER, work: (batches) => handleAll(subscription, batches) }),
    ]),
  );
  /** The events that are being handled now, at most one per partition. */
  const inProgress = new Set<{ topic: string; since: number }>();

  return {
    handleTogether,
    handleUntilDone,
    oldest() {
      // The first that was added has been handled for longest.
      const [first] = inProgress;
      return first && { topic: first.topic, forMs: performance.now() - first.since };
    },
  };

  /**
   * Under load one transaction handles many events, of several partitions. If it fails for any reason (a message that is not an event, an event that
   * fails, a lasting conflict), each event is handled by itself, so that none delays the others. Returns whether all of them are finished.
   */
  async function handleTogether(subscription: Subscription, messages: readonly KafkaMessage[], goOn: () => boolean): Promise<boolean> {
    const topic = subscription.topic.name;
    const entry = { topic, since: performance.now() };
    inProgress.add(entry);
    try {
      const events = messages.map((message) => eventOf(subscription, message));
      const trace = messages.map((message) => traceContext(textHeaders(message)));
      return (await together.get(subscription)?.({ events, trace, goOn })) ?? false;
    } catch (error) {
      handled.inc({ topic, outcome: 'retry' });
      log.info({ err: error, topic, events: messages.length }, 'could not handle events in one transaction; handling them one by one');
      return false;
    } finally {
      inProgress.delete(entry);
    }
  }

  async function handleAll(subscription: Subscription, batches: readonly Batch[]): Promise<PromiseSettledResult<boolean>[]> {
    const ours = batches.filter(({ goOn }) => goOn());
    const events = ours.flatMap((batch) => batch.events);
    const [trace, ...others] = ours.flatMap((batch) => batch.trace);
    if (!trace) return batches.map(() => ({ status: 'fulfilled', value: false }));
    const handle = () => handleOnce(options.mongo, group, subscription, options.findErased, events, followsClocks);
    settled(subscription, events, await (others.length === 0 ? context.with(trace, handle) : handle()));
    return batches.map((batch) => ({ status: 'fulfilled', value: ours.includes(batch) }));
  }

  async function handleUntilDone(subscription: Subscription, message: KafkaMessage, goOn: () => boolean): Promise<boolean> {
    const topic = subscription.topic.name;
    let event: Received<unknown>;
    try {
      event = eventOf(subscription, message);
    } catch (error) {
      // A retry would read the same bytes.
      await deadLetters.add(message, topic, error);
      return true;
    }
    const entry = { topic, since: performance.now() };
    inProgress.add(entry);
    try {
      return await tryUntilDone(subscription, event, message, goOn);
    } finally {
      inProgress.delete(entry);
    }
  }

  async function tryUntilDone(
    subscription: Subscription,
    event: Received<unknown>,
    message: KafkaMessage,
    goOn: () => boolean,
  ): Promise<boolean> {
    const topic = subscription.topic.name;
    for (let attempt = 0, ownFault = 0; goOn(); attempt++) {
      try {
        const handle = () => handleOnce(options.mongo, group, subscription, options.findErased, [event], followsClocks);
        settled(subscription, [event], await context.with(traceContext(textHeaders(message)), handle));
        return true;
      } catch (error) {
        // A write that the database rejects (unavailable, full, locked, forbidden, misconfigured) may succeed once an operator has fixed the cause:
        // no event is given up for that. Only an error of the handler itself says something about the event.
        if (isOwnFault(error) && ++ownFault >= MAX_ATTEMPTS) {
          await deadLetters.add(message, topic, error);
          return true;
        }
        handled.inc({ topic, outcome: 'retry' });
        log.warn({ err: error, topic, event_id: event.id, subject: event.subject, attempt }, 'could not handle an event; retrying');
        await new Promise((resolve) => setTimeout(resolve, backoffMs(attempt, 100, 5_000)));
      }
    }
    return false;
  }

  function settled({ topic: { name: topic } }: Subscription, events: readonly Received<unknown>[], end: Handled): void {
    if (end.handled > 0) options.afterCommit();
    handled.inc({ topic, outcome: 'handled' }, end.handled);
    handled.inc({ topic, outcome: 'duplicate' }, end.duplicates);
    handled.inc({ topic, outcome: 'ignored' }, end.ignored);
    for (const { time, organizationId } of events) {
      delay.observe({ topic }, Math.max(0, now(organizationId).getTime() - time.getTime()) / 1000);
    }
  }
}

/** @throws Error if it is not an event of this topic */
const eventOf = ({ topic }: Subscription, message: KafkaMessage): Received<unknown> =>
  fromMessage(topic, { headers: textHeaders(message), value: message.value ?? Buffer.alloc(0) });

/** MongoDB's codes for writes that can never succeed: bad value, failed to parse, type mismatch, duplicate key, too large. */
const REFUSED_FOR_GOOD = [2, 9, 14, 11000, 10334, 17280];

/** Whether the event, or the code that handles it, is at fault. Every other failure of the database is temporary, and the event waits. */
function isOwnFault(error: unknown): boolean {
  return !(error instanceof MongoError) || REFUSED_FOR_GOOD.includes(Number(error.code));
}
