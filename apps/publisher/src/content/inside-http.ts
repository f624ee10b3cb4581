import type { PeerTls } from '@fanfare/runtime';
import { Agent, buildConnector, type Dispatcher } from 'undici';

/** Reaches the library's port for bytes. New connections take the certificate as it is then. */
export const createInsideHttp = (tls: PeerTls | undefined): Dispatcher =>
  new Agent({ connect: (target, done) => buildConnector({ ...tls?.current(), allowH2: false })(target, done) });
