export { type FetchedResponse, type Resume } from './fetched-response.ts';
export { type Download, type DownloadOptions } from './download.ts';
export { FetchError, type FetchErrorReason } from './fetch-error.ts';
export { createGuardedClient, type FetchOptions, type GuardedClient, type GuardedClientOptions } from './guarded-client.ts';
export { checkPublicUrl } from './check-url.ts';
export { type BeginOptions, type BegunResponse, type SendOptions, type WholeResponse } from './send.ts';
