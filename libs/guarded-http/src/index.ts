export { FetchRefused, type RefusalReason } from './fetch-refused.ts';
export {
  createGuardedClient,
  type Download,
  type DownloadOptions,
  type GuardedClient,
  type GuardedClientOptions,
} from './guarded-client.ts';
export { isPublicAddress } from './is-public-address.ts';
