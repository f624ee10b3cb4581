export { parseAddress } from './address.ts';
export { startAdminServer, type AdminServer } from './admin-server.ts';
export { clockSkewMs, currentMs, currentTime, now, syncClock } from './clock.ts';
export { deadlineIn, msUntil, type Deadline } from './deadline.ts';
export { freeBuffers } from './collect-garbage.ts';
export { allOrEach, grouped } from './grouped.ts';
export { createHealth, type Check, type Health } from './health.ts';
export { createKeyring, keyIdOf, type DerivedKey, type Keyring } from './keyring.ts';
export { createLogger, type Logger } from './logger.ts';
export { backoffMs, startLoop, type Loop } from './loop.ts';
export { counter, gauge, histogram, readGauge } from './metrics.ts';
export { derivedId, isUuid, newId } from './new-id.ts';
export { onePer } from './one-per.ts';
export {
  createPeerTls,
  peerTlsEnv,
  peerTlsProblems,
  peerTlsSettings,
  type PeerFiles,
  type PeerTls,
  type PeerTlsSettings,
} from './peer-tls.ts';
export { developmentOnly, inProduction, isGuessable, isProduction, publicAddress } from './production.ts';
export { readEnv, setting } from './read-env.ts';
export { runProcess, type Running } from './run-process.ts';
export { kafkaEnv, kafkaProblems, kafkaSettings, mongoEnv, processEnv, rpcEnv } from './service-env.ts';
