import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** A grainy photo, or as a PNG a clean image; different for each seed. Needs ffmpeg on the PATH. */
export async function makeImage(
  folder: string,
  { size, kind, seed }: { size: string; kind: 'jpg' | 'png' | 'webp'; seed: number },
): Promise<string> {
  const file = path.join(folder, `image-${size}-${seed}.${kind}`);
  const grain = kind === 'png' ? '' : `,noise=alls=8:all_seed=${seed}`;
  const image = ['-f', 'lavfi', '-i', `testsrc2=size=${size}:duration=1,hue=h=${seed * 17}${grain}`];
  await promisify(execFile)('ffmpeg', [
    '-v',
    'error',
    '-y',
    ...image,
    '-frames:v',
    '1',
    '-update',
    '1',
    '-q:v',
    kind === 'webp' ? '80' : '3',
    file,
  ]);
  return file;
}
