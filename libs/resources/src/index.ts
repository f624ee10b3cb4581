export { accountStatsFromProto } from './account-stats.ts';
export { eventFromProto } from './event.ts';
export {
  EVENT_TYPE_NAMES,
  EVENT_TYPES,
  isOptIn,
  optInTypesFitting,
  typesMatching,
  type EventType,
  type EventTypeName,
} from './event-types.ts';
export { integrationFromProto } from './integration.ts';
export { isoTime, present } from './required.ts';
export { jobFromProto } from './job.ts';
export { mediaFromProto } from './media.ts';
export { patchFromProto, scalar } from './finding-parts.ts';
export { postStatisticsFromProto, postStatsFromProto } from './post-stats.ts';
export { metadataFromProto, misfirePolicyFromProto, postFromProto } from './post.ts';
export { queueFromProto } from './queues/queue.ts';
export { createUrls, type Urls } from './urls.ts';
export {
  CHANGES,
  CURRENT_VERSION,
  downgradeEvent,
  downgradeResponse,
  FLOOR_VERSION,
  toVersion,
  upgradeRequest,
  VERSIONS,
  type Version,
} from './versions/index.ts';
export type { VersionChange, VersionedResource } from './versions/version-change.ts';
export { webhookFromProto } from './webhook.ts';
