import path from 'node:path';
import { provideFfmpeg } from '@fanfare/infra';

/** Puts an ffmpeg on the PATH of this process and of those that it starts; without one, everything except video and audio works. */
export async function findFfmpeg(note: (line: string) => void): Promise<void> {
  try {
    const folder = await provideFfmpeg(note);
    if (folder !== undefined) process.env['PATH'] = [folder, process.env['PATH']].join(path.delimiter);
  } catch (error) {
    note(`video needs ffmpeg: apt-get install ffmpeg (${error instanceof Error ? error.message : String(error)})`);
  }
}
