export { infoOf, type ResponseInfo } from './response-info.ts';
export type { CallOptions, EditOptions, OnceOptions } from './call-options.ts';
export { API_VERSION, createFanfare, type Fanfare, type FanfareSettings } from './create-fanfare.ts';
export { FanfareError, type LocalErrorCode } from './fanfare-error.ts';
export type * from './gen/types.gen.ts';
export type { Listing } from './pages.ts';
export type { Upload } from './upload-media.ts';
export { SDK_VERSION } from './version.ts';
export type { WaitOptions } from './wait-until.ts';
