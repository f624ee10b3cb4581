export { integrationFromProto } from './integration.ts';
export { isoTime } from './iso-time.ts';
export { jobFromProto } from './job.ts';
export { mediaFromProto } from './media.ts';
export { patchFromProto, scalar } from './finding-parts.ts';
export { metadataFromProto, postFromProto } from './post.ts';
export { createUrls, type Urls } from './urls.ts';
export {
  CHANGES,
  CURRENT_VERSION,
  downgradeResponse,
  FLOOR_VERSION,
  toVersion,
  upgradeRequest,
  VERSIONS,
  type Version,
} from './versions/index.ts';
export type { VersionChange, VersionedResource } from './versions/version-change.ts';
