import path from 'node:path';

/** The repository's root: three levels above this file, and three above an app's bundle (`apps/dev/dist`) that this file is part of. */
export const workspaceRoot = path.resolve(import.meta.dirname, '../../..');
