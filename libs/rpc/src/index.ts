export { fromHeaders, systemCall, toHeaders, type CallMetadata } from './call-metadata.ts';
export { createRpcClient } from './client.ts';
export { startRpcServer, type Call, type RpcServer } from './server.ts';
export type { CallOptions, Client, Handler, Handlers, ServiceDefinition } from './service-types.ts';
