import { notFound } from '@fanfare/errors';
import { findEvent } from '../feed/store/events.ts';
import { toEvent } from '../feed/to-event.ts';
import type { Rpc } from './rpc.ts';

export const getEvent: Rpc<'getEvent'> =
  ({ db }) =>
  async ({ eventId }, { metadata }) => {
    const event = await findEvent(db, metadata.organizationId, eventId);
    if (!event) throw notFound('event');
    return { event: toEvent(event) };
  };
