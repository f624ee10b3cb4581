import type { PeerTls } from '@fanfare/runtime';
import { Agent, buildConnector, type Dispatcher } from 'undici';

/** HTTP client for the library's media port. New connections use the current certificate. */
export const createInsideHttp = (tls: PeerTls | undefined): Dispatcher =>
  new Agent({ connect: (target, done) => buildConnector({ ...tls?.current(), allowH2: false })(target, done) });
