import type { Content, Next, State } from '../connector.ts';
import { followUp } from './follow-up.ts';
import { readProgress } from './progress.ts';
import { uploadStep } from './upload.ts';

/** YouTube's flow (platform reference 7.2): an upload session that receives the video in parts; the last part publishes it. */
export function next(content: Content, state: State): Next {
  const progress = readProgress(state);
  const { videoId } = progress;
  return videoId === undefined ? { step: uploadStep(content, progress) } : followUp(content, { ...progress, videoId });
}
