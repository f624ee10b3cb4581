import { context, type Context } from '@opentelemetry/api';
import { backoffMs, counter, currentMs, currentTime, grouped, histogram, type Logger } from '@fanfare/runtime';
import { Partitioners, type EachBatchPayload, type Kafka, type KafkaMessage, type Producer } from 'kafkajs';
import { MongoError, type Db, type MongoClient } from 'mongodb';
import { fromMessage, traceContext, type Received } from './cloud-event.ts';
import { handleOnce, type Handled } from './handle-once.ts';
import { deadLetterTopicName, topicName, type KafkaSettings } from './kafka.ts';
import type { Subscription } from './subscription.ts';
import { messagesTogether } from './messages-together.ts';

export interface Consumer {
  /** Why it cannot be trusted to consume now; undefined while it does. */
  problem(): string | undefined;
  stop(): Promise<void>;
}

/** An event whose handler fails this often for a reason that is not the database's goes to the dead letters. */
const MAX_ATTEMPTS = 5;
/** From here on an event that is still tried makes the service unready: somebody has to look. */
const STUCK_AFTER_MS = 30_000;

/** What ends the wait for others. */
const PORTION_BYTES = 128 << 10;
/** Of a topic there are six (kafka.ts). */
const MOST_PARTITIONS_TOGETHER = 6;

/** What was read of one partition, and is handled together. */
interface Batch {
  readonly events: readonly Received<unknown>[];
  /** Of each event. */
  readonly trace: readonly Context[];
  /** Whether the partition is still ours. */
  goOn(): boolean;
}

export async function startConsumer(options: {
  group: string;
  subscriptions: readonly Subscription[];
  mongo: { client: MongoClient; db: Db };
  kafka: Kafka;
  settings: KafkaSettings;
  log: Logger;
  /** How long an event may wait for others, in milliseconds: what is in no hurry is read, and handled, in larger portions. Unless given: not at all. */
  patienceMs?: number;
  /** Called after each transaction of events has committed: wake what its rows are for. */
  afterCommit: () => void;
  /** Called when it will not go on by itself. */
  onCrash: () => void;
}): Promise<Consumer> {
  const { group, kafka, settings, log, onCrash } = options;
  const groupId = settings.topicPrefix + group;
  const handled = counter('fanfare_events_handled_total', 'Attempts to handle an event, by outcome.', ['topic', 'outcome']);
  const deadLettered = counter('fanfare_events_buried_total', 'Events sent to the dead letter topic: operators must handle each.', [
    'topic',
  ]);
  const delay = histogram('fanfare_event_delay_seconds', 'Time from when an event was written until it was handled.', ['topic']);
  // One transaction of a topic at a time: several on the same rows, begun at once, would only make each other begin anew.
  const together = new Map(
    options.subscriptions.map((subscription) => [
      subscription,
      grouped<Batch, boolean>({ most: MOST_PARTITIONS_TOGETHER, work: (batches) => handleAll(subscription, batches) }),
    ]),
  );
  const byName = new Map(options.subscriptions.map((subscription) => [topicName(settings, subscription.topic.name), subscription]));

  const deadLetters = kafka.producer({ createPartitioner: Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: settings.sessionTimeoutMs,
    rebalanceTimeout: 60_000,
    heartbeatInterval: settings.sessionTimeoutMs / 5,
    maxBytesPerPartition: 256 << 10,
    ...(options.patienceMs === undefined ? { maxWaitTimeInMs: 2_000 } : { maxWaitTimeInMs: options.patienceMs, minBytes: PORTION_BYTES }),
    allowAutoTopicCreation: false,
  });

  /** The events that are being handled now, one for each partition at most. */
  const inProgress = new Set<{ topic: string; since: number }>();
  let joined = false;
  let lastHeartbeat = 0;
  consumer.on('consumer.group_join', () => ((joined = true), (lastHeartbeat = performance.now())));
  consumer.on('consumer.heartbeat', () => (lastHeartbeat = performance.now()));
  consumer.on('consumer.crash', ({ payload }) => {
    log.error({ err: payload.error, group: groupId, restart: payload.restart }, 'consumer crashed');
    // It would go on living and do nothing.
    if (!payload.restart) onCrash();
  });

  const commits = offsetCommits(log);
  const stop = async () => {
    await commits.now();
    await consumer.disconnect();
    commits.forget();
    await deadLetters.disconnect();
  };
  try {
    await deadLetters.connect();
    await consumer.connect();
    await consumer.subscribe({ topics: [...byName.keys()], fromBeginning: true });
    await consumer.run({
      partitionsConsumedConcurrently: MOST_PARTITIONS_TOGETHER,
      eachBatchAutoResolve: false,
      // Left to kafkajs each batch ends with a commit, and under load a batch is an event or two.
      autoCommit: false,
      eachBatch,
    });
  } catch (error) {
    await stop();
    throw error;
  }

  async function eachBatch({ batch, resolveOffset, heartbeat, isRunning, isStale, ...offsets }: EachBatchPayload) {
    const subscription = byName.get(batch.topic);
    if (!subscription) return;
    const beat = setInterval(() => void heartbeat().catch(() => undefined), settings.sessionTimeoutMs / 5);
    try {
      const goOn = () => isRunning() && !isStale();
      for (const messages of messagesTogether(batch.messages)) {
        if (!(await handleTogether(subscription, messages, goOn))) {
          for (const message of messages) {
            if (!(await handleUntilDone(subscription, message, goOn))) return;
            resolveOffset(message.offset);
            commits.soon(offsets);
          }
        }
        for (const { offset } of messages.slice(-1)) resolveOffset(offset);
        commits.soon(offsets);
        await heartbeat();
      }
    } finally {
      clearInterval(beat);
      if (!isRunning()) await commits.now();
    }
  }

  /**
   * Under load one transaction serves many, of whatever partitions. Whatever keeps it from that (a message that is no event, an event that fails, a
   * conflict that does not end), each is then handled by itself, so that none holds up the others. Returns whether all of them are done with.
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
    const handle = () => handleOnce(options.mongo, group, subscription, events);
    settled(subscription, events, await (others.length === 0 ? context.with(trace, handle) : handle()));
    return batches.map((batch) => ({ status: 'fulfilled', value: ours.includes(batch) }));
  }

  /** Returns false when the partition was taken away before the message was done with. */
  async function handleUntilDone(subscription: Subscription, message: KafkaMessage, goOn: () => boolean): Promise<boolean> {
    const headers = textHeaders(message);
    const topic = subscription.topic.name;
    let event: Received<unknown>;
    try {
      event = eventOf(subscription, message);
    } catch (error) {
      // The bytes will not change.
      await deadLetter(message, headers, topic, error);
      return true;
    }
    const entry = { topic, since: performance.now() };
    inProgress.add(entry);
    try {
      return await tryUntilDone(subscription, event, { message, headers }, goOn);
    } finally {
      inProgress.delete(entry);
    }
  }

  async function tryUntilDone(
    subscription: Subscription,
    event: Received<unknown>,
    { message, headers }: { message: KafkaMessage; headers: Record<string, string> },
    goOn: () => boolean,
  ): Promise<boolean> {
    const topic = subscription.topic.name;
    for (let attempt = 0, ownFault = 0; goOn(); attempt++) {
      try {
        const handle = () => handleOnce(options.mongo, group, subscription, [event]);
        settled(subscription, [event], await context.with(traceContext(headers), handle));
        return true;
      } catch (error) {
        // Whatever the database refuses (away, full, locked, forbidden, misconfigured) it may take once somebody has seen to it: no event is
        // given up for that. Only what the handler itself throws says something about the event.
        if (isOwnFault(error) && ++ownFault >= MAX_ATTEMPTS) {
          await deadLetter(message, headers, topic, error);
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
    for (const { time } of events) delay.observe({ topic }, Math.max(0, currentMs() - time.getTime()) / 1000);
  }

  async function deadLetter(message: KafkaMessage, headers: Record<string, string>, topic: string, error: unknown) {
    log.error(
      { err: error, topic, event_id: headers['ce_id'], subject: headers['ce_subject'] },
      'gave up an event: it goes to the dead letter topic',
    );
    await send(deadLetters, deadLetterTopicName(settings, group), message, {
      ...headers,
      'fanfare-topic': topic,
      'fanfare-error': String(error).slice(0, 1_000),
      'fanfare-failed-at': currentTime().toISOString(),
    });
    deadLettered.inc({ topic });
  }

  return {
    problem() {
      if (!joined) return 'has not joined its consumer group yet';
      const silentMs = performance.now() - lastHeartbeat;
      if (silentMs > settings.sessionTimeoutMs) return `no heartbeat to Kafka for ${Math.round(silentMs / 1000)} s`;
      // The first that was added has been in hand for longest.
      const [oldest] = inProgress;
      const stuckMs = oldest ? performance.now() - oldest.since : 0;
      return oldest && stuckMs > STUCK_AFTER_MS
        ? `has been failing to handle an event of ${oldest.topic} for ${Math.round(stuckMs / 1000)} s`
        : undefined;
    },
    stop,
  };
}

/** How long Kafka may believe that an event is still to be handled. A consumer that dies in between is sent it again, and its inbox knows it. */
const COMMIT_MS = 500;

/** Tells Kafka what has been handled: now and then, for all partitions at once. */
function offsetCommits(log: Logger) {
  type Offsets = Pick<EachBatchPayload, 'uncommittedOffsets' | 'commitOffsetsIfNecessary'>;
  let pending: { readonly offsets: Offsets; readonly timer: NodeJS.Timeout } | undefined;

  async function now(): Promise<void> {
    if (!pending) return;
    const { offsets, timer } = pending;
    clearTimeout(timer);
    pending = undefined;
    try {
      const handled = offsets.uncommittedOffsets();
      if (handled.topics.length > 0) await offsets.commitOffsetsIfNecessary(handled);
    } catch (error) {
      // The partitions may be another's now. What was not committed is told with the next, or sent again.
      log.info({ err: error }, 'could not commit offsets to Kafka; handled events may be received again');
    }
  }

  return {
    now,
    soon(offsets: Offsets): void {
      pending ??= { offsets, timer: setTimeout(() => void now(), COMMIT_MS) };
    },
    /** For a consumer that has left its group. */
    forget(): void {
      clearTimeout(pending?.timer);
      pending = undefined;
    },
  };
}

async function send(producer: Producer, topic: string, message: KafkaMessage, headers: Record<string, string>) {
  await producer.send({ topic, acks: -1, messages: [{ key: message.key, value: message.value, headers, timestamp: String(currentMs()) }] });
}

/** @throws Error when it is none of this topic */
const eventOf = ({ topic }: Subscription, message: KafkaMessage): Received<unknown> =>
  fromMessage(topic, { headers: textHeaders(message), value: message.value ?? Buffer.alloc(0) });

function textHeaders(message: KafkaMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(message.headers ?? {}).map(([name, value]) => [name, value?.toString() ?? '']));
}

/** Codes by which MongoDB refuses a write for what it is: bad value, failed to parse, type mismatch, duplicate key, too large. */
const REFUSED_FOR_GOOD = [2, 9, 14, 11000, 10334, 17280];

/** Whether the event, or the code that handles it, is at fault. Every other failure of the database passes some day, and the event waits for it. */
function isOwnFault(error: unknown): boolean {
  return !(error instanceof MongoError) || REFUSED_FOR_GOOD.includes(Number(error.code));
}
