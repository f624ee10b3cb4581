import path from 'node:path';

/** The repository's root: three levels above this file, and also above an app's bundle (`apps/dev/dist`) that contains this file. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');
