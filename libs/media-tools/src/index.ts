export type { Command, Tools } from './command.ts';
export { findLaunchers, type Launchers } from './find-launchers.ts';
export { findTools } from './find-tools.ts';
export { MediaRefused } from './media-refused.ts';
export { overLimit } from './over-limit.ts';
export { runFfmpeg } from './run-ffmpeg.ts';
