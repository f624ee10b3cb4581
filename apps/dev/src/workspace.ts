import path from 'node:path';

/** The repository's root. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');

/** What `npm start` keeps: data, logs, secrets, addresses. Not in git. */
export const dataDir = path.join(workspaceRoot, '.fanfare');
