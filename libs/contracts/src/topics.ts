import { AccountSnapshotTaken, PostSnapshotTaken } from './gen/fanfare/analytics/v1/events.ts';
import { PostChanged, PublicationRequested, QueueEmptied, RemovalsRequested } from './gen/fanfare/content/v1/events.ts';
import { DesignChanged, JobCompleted, JobFailed } from './gen/fanfare/generation/v1/events.ts';
import { MediaChanged } from './gen/fanfare/library/v1/events.ts';
import { DeliveryChanged, IntegrationChanged, RemovalChanged } from './gen/fanfare/publisher/v1/events.ts';
import { EndpointDisabled } from './gen/fanfare/webhooks/v1/events.ts';

/** Encodes and decodes a message; ts-proto generates one for each message. */
export interface Codec<T> {
  encode(message: T): { finish(): Uint8Array };
  decode(bytes: Uint8Array): T;
}

/** A Kafka topic that carries one type of event. */
export interface Topic<T> {
  readonly name: string;
  /** The CloudEvents type. */
  readonly type: string;
  readonly codec: Codec<T>;
}

const topic = <T>(name: string, type: string, codec: Codec<T>): Topic<T> => ({ name, type, codec });

/** All topics. The key of each message is the id of the aggregate that the event is about. */
export const topics = {
  postChanged: topic('content.posts', 'fanfare.content.v1.PostChanged', PostChanged),
  publicationRequested: topic('content.publications', 'fanfare.content.v1.PublicationRequested', PublicationRequested),
  removalsRequested: topic('content.removals', 'fanfare.content.v1.RemovalsRequested', RemovalsRequested),
  queueEmptied: topic('content.queues_emptied', 'fanfare.content.v1.QueueEmptied', QueueEmptied),
  mediaChanged: topic('library.media', 'fanfare.library.v1.MediaChanged', MediaChanged),
  deliveryChanged: topic('publisher.deliveries', 'fanfare.publisher.v1.DeliveryChanged', DeliveryChanged),
  removalChanged: topic('publisher.removals', 'fanfare.publisher.v1.RemovalChanged', RemovalChanged),
  integrationChanged: topic('publisher.integrations', 'fanfare.publisher.v1.IntegrationChanged', IntegrationChanged),
  postSnapshotTaken: topic('analytics.post_snapshots', 'fanfare.analytics.v1.PostSnapshotTaken', PostSnapshotTaken),
  accountSnapshotTaken: topic('analytics.account_snapshots', 'fanfare.analytics.v1.AccountSnapshotTaken', AccountSnapshotTaken),
  jobCompleted: topic('generation.jobs_completed', 'fanfare.generation.v1.JobCompleted', JobCompleted),
  jobFailed: topic('generation.jobs_failed', 'fanfare.generation.v1.JobFailed', JobFailed),
  designChanged: topic('generation.designs', 'fanfare.generation.v1.DesignChanged', DesignChanged),
  endpointDisabled: topic('webhooks.endpoints_disabled', 'fanfare.webhooks.v1.EndpointDisabled', EndpointDisabled),
} as const;
