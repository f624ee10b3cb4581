/** Only the names are shared with the connectors: the platforms' behavior is written here independently, from their documentation. */
export type { Platform as PlatformName } from '@fanfare/connectors/platform';
