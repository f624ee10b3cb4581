export { isLoopback, parseAddress } from './address.ts';
export { startAdminServer, type AdminServer } from './admin-server.ts';
export { CANARY, isCanary } from './canary.ts';
export { aheadMs, clockSkewMs, currentMs, currentTime, learnClock, movedClocks, now, realTime, syncClock } from './clock.ts';
export { deadlineIn, msUntil, type Deadline } from './deadline.ts';
export { freeBuffers } from './collect-garbage.ts';
export { allOrEach, grouped } from './grouped.ts';
export { createHealth, type Check, type Health } from './telemetry/health.ts';
export { createKeyring, keyIdOf, keyUses, type DerivedKey, type Keyring } from './environment/keyring.ts';
export { createLogger, type Logger } from './telemetry/logger.ts';
export { backoffMs, startLoop, type Loop } from './loop.ts';
export { counter, gauge, histogram, LAG_SECONDS, readGauge } from './telemetry/metrics.ts';
export { derivedId, isUuid, newId, timeOf } from './new-id.ts';
export { onePer } from './one-per.ts';
export {
  createPeerTls,
  peerTlsEnv,
  peerTlsProblems,
  peerTlsSettings,
  type PeerFiles,
  type PeerTls,
  type PeerTlsSettings,
} from './environment/peer-tls.ts';
export { developmentOnly, inProduction, isGuessable, isProduction, publicAddress } from './environment/production.ts';
export { readEnv, setting, type Mode } from './environment/read-env.ts';
export { runProcess, type Running } from './run-process.ts';
export {
  clearTextProblems,
  kafkaEnv,
  kafkaProblems,
  kafkaSettings,
  mongoEnv,
  processEnv,
  rpcEnv,
  type MongoEnv,
  type ProcessEnv,
  WITHOUT_TLS,
} from './environment/service-env.ts';
export { watchAge, type AgeWatch, type Waiting } from './watch-age.ts';
