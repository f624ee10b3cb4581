import type { MediaChanged } from '@fanfare/contracts/library/events';
import type { Received } from '@fanfare/events';
import { mediaFromProto } from '@fanfare/resources';
import type { NewEvent } from '../feed/event.ts';
import { newEvent } from './new-event.ts';

export const mediaEvent = (received: Received<MediaChanged>): NewEvent | undefined => {
  const { change, media } = received.data;
  const type = change === 'MEDIA_CHANGE_READY' ? 'media.ready' : 'media.failed';
  return media && newEvent(received, { types: () => [type], data: mediaFromProto(media), remembered: 'not' });
};
