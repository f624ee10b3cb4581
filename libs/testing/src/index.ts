export { eventually } from './eventually.ts';
export { testInfrastructure, type TestInfrastructure } from './infrastructure.ts';
export { callAs, testClient } from './service.ts';
