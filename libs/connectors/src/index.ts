export { apiVersionEnv, apiVersionsOf } from './api-version-settings.ts';
export { conversionFor, paddingHelps, type Conversion } from './checks/conversion.ts';
export type { BreakerState } from './calls/breaker.ts';
export { checkContent, type ContentFinding } from './checks/check-content.ts';
export { checkConversions, type ConversionFinding } from './checks/check-conversions.ts';
export { checkOptions } from './checks/check-options.ts';
export type { Quota, Day, Minute } from './quota.ts';
export type * from './connector.ts';
export type * from './oauth.ts';
export { scopesToRequest, isEnabled, type FeatureScopes } from './features.ts';
export { countText } from './text/count-text.ts';
export { PlatformFailure, type Effect, type FailureClass } from './calls/failure.ts';
export type * from './calls/http.ts';
export type * from './limits.ts';
export {
  createPlatformClient,
  type CallListener,
  type ObservedCall,
  type PlatformClient,
  type PlatformClientOptions,
} from './platform-client.ts';
export { parsePlatform, PLATFORMS, type Platform } from './platform.ts';
export * from './reading/index.ts';
export { accountOf, connectorFor, connectors, oauthOf } from './registry.ts';
export { APP_NAMES, appNameOf, isLoginOfAccount, loginNamesOf, loginOfApp, META_PLATFORMS, sandboxApp, type AppName } from './sign-in.ts';
export { readSignedRequest, type SignedRequest } from './graph/signed-request.ts';
