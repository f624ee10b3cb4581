import { rm, stat } from 'node:fs/promises';
import { MediaRejected, runFfmpeg, type Tools } from '@fanfare/media-tools';
import { inputArguments } from '../probing/recordings/demuxers.ts';
import type { MakeOrder } from './make.ts';
import type { FitRecipe } from './domain/recipe.ts';

/** Passes a frame of a video to `use`, as a temporary file. If there is no frame at that time, uses the first frame. */
export async function extractFrame<T>(order: MakeOrder, recipe: FitRecipe, tools: Tools, use: (frame: string) => Promise<T>): Promise<T> {
  const frame = `${order.output}.png`;
  try {
    for (const atMs of new Set([recipe.frame_at_ms ?? 0, 0])) {
      const seek = atMs === 0 ? [] : ['-ss', String(atMs / 1000)];
      const input = inputArguments(order.file, order.source.mime_type);
      const options = [
        '-map',
        '0:v:0',
        '-frames:v',
        '1',
        '-map_metadata',
        '-1',
        '-c:v',
        'png',
        '-pix_fmt',
        'rgb24',
        '-f',
        'image2',
        '-update',
        '1',
      ];
      await runFfmpeg(tools.ffmpeg, [...seek, ...input, ...options, frame]);
      if (await exists(frame)) return await use(frame);
    }
    throw new MediaRejected('No frame can be read from the video.');
  } finally {
    await rm(frame, { force: true });
  }
}

const exists = (file: string) =>
  stat(file).then(
    ({ size }) => size > 0,
    () => false,
  );
