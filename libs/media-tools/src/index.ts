export type { Command, Tools } from './command.ts';
export { findLaunchers, type Launchers } from './find-launchers.ts';
export { findTools } from './find-tools.ts';
export { MediaRejected } from './media-rejected.ts';
export { overLimit } from './over-limit.ts';
export { runFfmpeg } from './run-ffmpeg.ts';
