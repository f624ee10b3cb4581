import { context, propagation, ROOT_CONTEXT, trace, TraceFlags } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { topics } from '@fanfare/contracts';
import { aheadMs, newId } from '@fanfare/runtime';
import { fromMessage, isByClock, toHeaders, traceContext } from './cloud-event.ts';

const attributes = {
  id: 'event',
  type: topics.postChanged.type,
  source: 'test',
  subject: 'subject',
  revision: 1,
  organizationId: 'o',
  businessId: 'b',
  flowId: 'f',
  actor: 'key:k',
  requestId: 'req_1',
  time: new Date(0),
  clockMs: 0,
};

test('an event says who caused it and by which request, and one of an older version does not', () => {
  const message = { headers: toHeaders(attributes), value: Buffer.alloc(0) };
  expect(fromMessage(topics.postChanged, message)).toMatchObject(attributes);
  const { ce_actor: _actor, ce_requestid: _requestId, ...older } = message.headers;
  expect(fromMessage(topics.postChanged, { ...message, headers: older })).toMatchObject({ actor: '', requestId: '' });
});

test('the trace of a change reaches the handler of its event, whatever headers the producer in between writes', () => {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const span = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: TraceFlags.SAMPLED };
  const manager = { active: () => trace.setSpanContext(ROOT_CONTEXT, span) };
  jest.spyOn(context, 'active').mockImplementation(manager.active);
  const headers = { ...toHeaders(attributes), traceparent: '00-11111111111111111111111111111111-2222222222222222-01' };
  expect(trace.getSpanContext(traceContext(headers))).toMatchObject({ traceId: span.traceId, spanId: span.spanId });
});

test('an event says how far the test clock of its organization was ahead, and one without says nothing of it', () => {
  const organizationId = newId();
  const headers = toHeaders({ ...attributes, organizationId, clockMs: 60_000 });
  expect(isByClock({ headers })).toBe(true);
  expect(fromMessage(topics.postChanged, { headers, value: Buffer.alloc(0) }).clockMs).toBe(60_000);
  expect(aheadMs(organizationId)).toBe(60_000);
  expect(isByClock({ headers: toHeaders(attributes) })).toBe(false);
  expect(isByClock({})).toBe(false);
});
