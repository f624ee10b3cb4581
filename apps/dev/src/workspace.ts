import path from 'node:path';

/** The repository's root. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');

/** The data, logs, secrets and addresses of `npm start`. Not in git. */
export const dataDir = path.join(workspaceRoot, '.fanfare');
