import { PlatformFailure } from './failure.ts';

/** Whether the platform itself says that there is no such object. A 404 of a proxy does not say so. */
export const isMissing = (error: unknown): boolean =>
  error instanceof PlatformFailure && error.effect === 'rejected' && error.detail['status'] === 404;
