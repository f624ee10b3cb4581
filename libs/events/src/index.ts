export type { Received } from './cloud-event.ts';
export type { KafkaSettings } from './kafka.ts';
export { startListener, type Listener } from './listener.ts';
export { startMessaging, startPublishing, type Messaging } from './messaging.ts';
export { appendAllToOutbox, appendToOutbox, type Emission } from './outbox.ts';
export type { Relay } from './relay.ts';
export { createInboxIndexes } from './store/inbox-rows.ts';
export { createOutboxIndexes } from './store/outbox-rows.ts';
export { on, onAll, type EventHandler, type EventsHandler, type Subscription } from './subscription.ts';
