import type { QueueEmptied } from '@fanfare/contracts/content/events';
import type { Received } from '@fanfare/events';
import { queueFromProto } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

export const queueEvent = (received: Received<QueueEmptied>): NewEvent | undefined => {
  const { queue } = received.data;
  return queue && newEvent(received, { types: () => ['queue.empty'], data: queueFromProto(queue), remembered: 'not' });
};
