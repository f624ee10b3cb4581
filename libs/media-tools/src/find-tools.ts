import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '@fanfare/runtime';
import type { Launchers } from './find-launchers.ts';
import type { Tools } from './command.ts';

interface Found {
  readonly path: string;
  readonly version: string;
}

/** Finds ffmpeg and ffprobe on the PATH. Logs their paths, versions and limits, or which one is missing and what does not work without it. */
export async function findTools(
  env: Readonly<Record<string, string>>,
  { decoder, limits }: Pick<Launchers, 'decoder' | 'limits'>,
  log: Logger,
): Promise<Tools> {
  const [ffmpeg, ffprobe] = await Promise.all([find('ffmpeg', env), find('ffprobe', env)]);
  if (ffmpeg && ffprobe) log.info({ ffmpeg, ffprobe, limits }, 'decoders');
  else {
    const missing = [ffmpeg ? '' : 'ffmpeg', ffprobe ? '' : 'ffprobe'].filter((name) => name !== '');
    log.error({ missing, limits }, 'video and audio cannot be accepted or converted without ffmpeg (apt-get install ffmpeg)');
  }
  // Only the name of a missing program, without the launcher, so that its call fails with ENOENT.
  const command = (name: string, found: Found | undefined) => (found ? asCommand([...decoder, found.path]) : ([name] as const));
  return { ffmpeg: command('ffmpeg', ffmpeg), ffprobe: command('ffprobe', ffprobe) };
}

const asCommand = ([first = '', ...rest]: readonly string[]): Tools['ffmpeg'] => [first, ...rest];

async function find(tool: keyof Tools, env: Readonly<Record<string, string>>): Promise<Found | undefined> {
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    const program = path.join(folder, tool);
    const version = await versionOf(program, env);
    if (version !== undefined) return { path: program, version };
  }
  return undefined;
}

async function versionOf(program: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    await access(program, constants.X_OK);
    const { stdout } = await promisify(execFile)(program, ['-version'], { timeout: 10_000, env });
    return /version (\S+)/.exec(stdout)?.[1] ?? 'unknown';
  } catch {
    return undefined;
  }
}
