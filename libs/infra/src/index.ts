export { buildApps, generateContracts } from './build-apps.ts';
export { provideFfmpeg } from './ffmpeg.ts';
export { CannotServe, type Infra, type InfraOptions, type Provider } from './infra.ts';
export { assertPortFree, beyondLastPort, freePorts } from './ports.ts';
export { type RealSandbox, startRealSandbox } from './real-sandbox.ts';
export { startInfra } from './start-infra.ts';
export { type ServiceProcess, startService } from './start-service.ts';
export { waitReady } from './wait-ready.ts';
