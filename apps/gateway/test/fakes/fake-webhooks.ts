import { Attempt, Delivery, Endpoint, Event, type WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { DomainError, notFound } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import type { CallMetadata, Handlers } from '@fanfare/rpc';
import type { Note } from '../note.ts';

/** A feed that tests append to; readers wait for what is appended. Endpoints are kept in memory, and nothing is sent. */
export function fakeWebhooks(note: Note) {
  const all: Event[] = [];
  const waiting = new Set<() => void>();
  const of = (organizationId: string) => all.filter((event) => event.organizationId === organizationId);

  const endpoints = new Map<string, Endpoint>();
  const deliveries = new Map<string, Delivery>();
  const secret = `whsec_${Buffer.alloc(32, 's').toString('base64')}`;
  const endpointOf = (id: string, { metadata }: { metadata: CallMetadata }): Endpoint => {
    const found = endpoints.get(id);
    if (found?.organizationId !== metadata.organizationId) throw notFound('webhook endpoint');
    return found;
  };
  const deliveryOf = (endpointId: string, id: string, call: { metadata: CallMetadata }): Delivery => {
    endpointOf(endpointId, call);
    const found = deliveries.get(id);
    if (found?.endpointId !== endpointId) throw notFound('delivery');
    return found;
  };
  const aDelivery = (endpointId: string): Delivery => {
    const at = new Date(0);
    const exchanged = { headers: {}, body: '{}', isCut: false };
    const attempts = [Attempt.fromPartial({ at, durationMs: 5, statusCode: 204, request: exchanged, response: exchanged })];
    const known = { eventId: newId(), eventType: 'webhook.test', status: 'DELIVERY_STATUS_SUCCEEDED' as const };
    const made = Delivery.fromPartial({ id: newId(), endpointId, ...known, createdAt: at, endedAt: at, attemptCount: 1, attempts });
    deliveries.set(made.id, made);
    return made;
  };

  const unused = (): never => {
    throw new Error('The gateway does not call it.');
  };
  const handlers: Handlers<typeof WebhooksServiceService> = {
    rotateSecrets: unused,
    countSecrets: unused,
    async listEvents(request, call) {
      note('listEvents', request, call);
      const { organizationId } = call.metadata;
      const last = of(organizationId).length;
      const after = request.isFromNow ? last : (request.after ?? 0);
      if (after > last) throw new DomainError('invalid_request', `There is no event ${after}.`, { param: 'cursor' });
      const found = () => of(organizationId).filter(({ sequence }) => sequence > after);
      if (found().length === 0 && request.waitMs > 0)
        await new Promise<void>((resolve) => {
          const done = () => (clearTimeout(timer), waiting.delete(done), resolve());
          const timer = setTimeout(done, request.waitMs);
          waiting.add(done);
        });
      const events = found().slice(0, request.limit);
      const nextAfter = events.at(-1)?.sequence ?? after;
      return { events, nextAfter, hasMore: nextAfter < of(organizationId).length };
    },
    async getEvent({ eventId }, { metadata }) {
      const event = of(metadata.organizationId).find(({ id }) => id === eventId);
      if (!event) throw notFound('event');
      return { event };
    },
    async createEndpoint(request, call) {
      note('createEndpoint', request, call);
      const { headers, endpointId: id, ...given } = request;
      const { organizationId } = call.metadata;
      const at = new Date(0);
      const known = { id, organizationId, revision: 1, createdAt: at, updatedAt: at, headerNames: headers.map(({ name }) => name) };
      const endpoint = Endpoint.fromPartial({ ...given, ...known });
      endpoints.set(id, endpoint);
      return { endpoint, secret };
    },
    async listEndpoints(_request, { metadata }) {
      return { endpoints: [...endpoints.values()].filter(({ organizationId }) => organizationId === metadata.organizationId) };
    },
    async getEndpoint({ endpointId }, call) {
      return { endpoint: endpointOf(endpointId, call) };
    },
    async updateEndpoint(request, call) {
      note('updateEndpoint', request, call);
      const current = endpointOf(request.endpointId, call);
      if (request.expectedRevisions.length > 0 && !request.expectedRevisions.includes(current.revision))
        throw new DomainError(
          'precondition_failed',
          'The webhook has changed since you read it. Read it again and retry with its current ETag.',
        );
      const endpoint = { ...current, revision: current.revision + 1, enabled: request.enabled ?? current.enabled };
      endpoints.set(endpoint.id, endpoint);
      return { endpoint };
    },
    async deleteEndpoint({ endpointId }, call) {
      endpointOf(endpointId, call);
      endpoints.delete(endpointId);
      return {};
    },
    async testEndpoint({ endpointId }, call) {
      return { delivery: aDelivery(endpointOf(endpointId, call).id) };
    },
    async rotateSecret({ endpointId }, call) {
      return { endpoint: endpointOf(endpointId, call), secret };
    },
    async recoverEndpoint(request, call) {
      note('recoverEndpoint', request, call);
      return { endpoint: endpointOf(request.endpointId, call) };
    },
    async listDeliveries(request, call) {
      note('listDeliveries', request, call);
      endpointOf(request.endpointId, call);
      const own = [...deliveries.values()].filter(({ endpointId }) => endpointId === request.endpointId);
      return { deliveries: own, nextPageToken: '' };
    },
    async getDelivery({ endpointId, deliveryId }, call) {
      return { delivery: deliveryOf(endpointId, deliveryId, call) };
    },
    async redeliverDelivery({ endpointId, deliveryId }, call) {
      return { delivery: deliveryOf(endpointId, deliveryId, call) };
    },
  };

  return {
    handlers,
    endpoints,
    append(organizationId: string, more: Partial<Event> = {}): Event {
      const sequence = of(organizationId).length + 1;
      const data = JSON.stringify({ id: newId(), caption: 'Two\nlines' });
      const event = Event.fromPartial({
        id: newId(),
        organizationId,
        sequence,
        type: 'post.created',
        timestamp: new Date(0),
        data,
        ...more,
      });
      all.push(event);
      for (const done of waiting) done();
      return event;
    },
  };
}
