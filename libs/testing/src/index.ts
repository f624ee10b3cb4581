export { startTlsProxy } from './tls-proxy.ts';
export { peerCertificates, type PeerCertificates } from './peer-certificates.ts';
export { startEventPeer, type EventPeer } from './event-peer.ts';
export { eventually } from './eventually.ts';
export { testInfrastructure, type TestInfrastructure } from './infrastructure.ts';
export { recordLog } from './record-log.ts';
export { callAs, testClient } from './service.ts';
export { startTcpProxy, type Direction, type TcpProxy } from './tcp-proxy.ts';
export { unusedMethods } from './unused-methods.ts';
