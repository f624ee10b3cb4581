export type { BreakerState } from './breaker.ts';
export { checkContent, type ContentFinding } from './check-content.ts';
export type * from './connector.ts';
export { countText } from './count-text.ts';
export { PlatformFailure, type Effect, type FailureClass } from './failure.ts';
export type * from './http.ts';
export { createPlatformClient, type PlatformClient, type PlatformClientOptions } from './platform-client.ts';
export { parsePlatform, PLATFORMS, type Platform } from './platform.ts';
export { connectorFor, connectors } from './registry.ts';
