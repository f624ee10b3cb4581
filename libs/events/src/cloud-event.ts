import { context, propagation, ROOT_CONTEXT, type Context } from '@opentelemetry/api';
import type { Topic } from '@fanfare/contracts';
import { learnClock } from '@fanfare/runtime';

/**
 * Attributes of every event, sent as CloudEvents attributes in Kafka headers (binary mode of the Kafka protocol binding,
 * https://github.com/cloudevents/spec/blob/main/cloudevents/bindings/kafka-protocol-binding.md).
 */
export interface Attributes {
  /** Unique; consumers handle each id once. */
  readonly id: string;
  readonly type: string;
  /** The service that emits it. */
  readonly source: string;
  /** The id of the aggregate; also the message's key. */
  readonly subject: string;
  /** The aggregate's revision: handlers ignore older ones. */
  readonly revision: number;
  readonly organizationId: string;
  readonly businessId: string;
  /** The logical flow that caused it. */
  readonly flowId: string;
  /** Who caused it, as in the call metadata: key:{id}, user:{id} or system:{service}. Empty in events of older versions. */
  readonly actor: string;
  /** The id of the API request that caused it; empty if none did, and in events of older versions. */
  readonly requestId: string;
  /** By the clock of its organization. */
  readonly time: Date;
  /** How far the test clock of its organization was ahead; 0 without one. */
  readonly clockMs: number;
}

/** An event that was received. */
export interface Received<T> extends Attributes {
  readonly data: T;
}

export function toHeaders(attributes: Attributes): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': 'application/protobuf',
    ce_specversion: '1.0',
    ce_id: attributes.id,
    ce_type: attributes.type,
    ce_source: attributes.source,
    ce_subject: attributes.subject,
    ce_time: attributes.time.toISOString(),
    ce_revision: String(attributes.revision),
    ce_organizationid: attributes.organizationId,
    ce_businessid: attributes.businessId,
    ce_flowid: attributes.flowId,
    ce_actor: attributes.actor,
    ...(attributes.requestId !== '' && { ce_requestid: attributes.requestId }),
    ...(attributes.clockMs > 0 && { [CLOCK_HEADER]: String(attributes.clockMs) }),
  };
  // Separate from the headers that an instrumented producer writes: those contain the relay's trace, these the trace of the change itself
  // (https://github.com/cloudevents/spec/blob/main/cloudevents/extensions/distributed-tracing.md).
  for (const [name, value] of Object.entries(activeTrace())) headers[`ce_${name}`] = value;
  return headers;
}

const CLOCK_HEADER = 'ce_testclockms';

/** @throws Error if the message is not an event of this topic */
export function fromMessage<T>(topic: Topic<T>, message: { headers: Readonly<Record<string, string>>; value: Buffer }): Received<T> {
  const header = (name: string) => message.headers[name] ?? '';
  if (header('ce_type') !== topic.type || header('ce_id') === '') {
    throw new Error(`The message is not a ${topic.type}: ce_type is "${header('ce_type')}", ce_id is "${header('ce_id')}".`);
  }
  const clockMs = Number(header(CLOCK_HEADER) || 0);
  learnClock(header('ce_organizationid'), clockMs);
  return {
    id: header('ce_id'),
    type: header('ce_type'),
    source: header('ce_source'),
    subject: header('ce_subject'),
    revision: Number(header('ce_revision')),
    organizationId: header('ce_organizationid'),
    businessId: header('ce_businessid'),
    flowId: header('ce_flowid'),
    actor: header('ce_actor'),
    requestId: header('ce_requestid'),
    time: new Date(header('ce_time')),
    clockMs,
    data: topic.codec.decode(message.value),
  };
}

/** Whether it is an event of an organization whose test clock was moved. */
export const isByClock = ({ headers }: { readonly headers?: object | undefined }): boolean =>
  headers !== undefined && CLOCK_HEADER in headers;

/** The trace in which the event was written. */
export function traceContext(headers: Readonly<Record<string, string>>): Context {
  return propagation.extract(ROOT_CONTEXT, { traceparent: headers['ce_traceparent'], tracestate: headers['ce_tracestate'] });
}

/** Empty unless tracing is on. */
function activeTrace(): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}
