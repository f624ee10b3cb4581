import type { PlatformFailure } from '@fanfare/connectors';

/** For people: the access to an account has ended, and what the platform says about it. */
export const accessEnded = ({ message }: PlatformFailure): string =>
  `The access to this account has ended. Reconnect it. The platform says: ${message}`;
