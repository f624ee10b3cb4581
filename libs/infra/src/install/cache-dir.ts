import { homedir } from 'node:os';
import path from 'node:path';

/** The folder of programs that were installed for development and tests. */
export const cacheDir = (): string => path.join(process.env['XDG_CACHE_HOME'] || path.join(homedir(), '.cache'), 'fanfare');
