// Loaded in a fresh clone only, because it loads everything that starts servers.
export { generateContracts } from '@fanfare/infra';
