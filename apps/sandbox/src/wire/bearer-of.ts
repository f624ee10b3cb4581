import type { Call } from './call.ts';

const BEARER = /^Bearer (.+)$/i;
/** Graph has a second name for it. */
export const BEARER_OR_OAUTH = /^(?:Bearer|OAuth) (.+)$/i;

/** The token in the Authorization header; undefined without one. */
export const bearerOf = (call: Pick<Call, 'headers'>, scheme = BEARER): string | undefined =>
  scheme.exec(call.headers['authorization'] ?? '')?.[1]?.trim();
