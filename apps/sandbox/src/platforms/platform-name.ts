/** The names alone are shared with the connectors: what a platform says and takes is written here a second time, from its documentation. */
export type { Platform as PlatformName } from '@fanfare/connectors/platform';
