export { eventually } from './eventually.ts';
export { testInfrastructure, type TestInfrastructure } from './infrastructure.ts';
