export { buildApps, generateContracts } from './services/build-apps.ts';
export { provideFfmpeg } from './install/ffmpeg.ts';
export { CannotServe, type Infra, type InfraOptions, type Provider } from './infra.ts';
export { assertPortFree, beyondLastPort, freePorts } from './ports.ts';
export { type RealSandbox, startRealSandbox } from './services/real-sandbox.ts';
export { startInfra } from './start-infra.ts';
export { type ServiceProcess, startService } from './services/start-service.ts';
export { waitReady } from './services/wait-ready.ts';
