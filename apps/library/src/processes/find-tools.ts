import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '@fanfare/runtime';
import type { Tools } from './job.ts';

/** Packages with an older build of each, installed where npm has one for this machine. */
const PACKAGES: Readonly<Record<keyof Tools, string>> = {
  ffmpeg: '@ffmpeg-installer/linux-x64',
  ffprobe: '@ffprobe-installer/linux-x64',
};

/** Finds ffmpeg and ffprobe on the PATH, or else in npm packages; says at start which of them is missing and what then does not work. */
export async function findTools(env: Readonly<Record<string, string>>, log: Logger): Promise<Tools> {
  const [ffmpeg, ffprobe] = await Promise.all([find('ffmpeg', env), find('ffprobe', env)]);
  const missing = [ffmpeg ? '' : 'ffmpeg', ffprobe ? '' : 'ffprobe'].filter((name) => name !== '');
  if (missing.length > 0) {
    log.error({ missing }, `${missing.join(' and ')} not found: video and sound cannot be taken in or converted; install ffmpeg`);
  }
  return { ffmpeg: ffmpeg ?? 'ffmpeg', ffprobe: ffprobe ?? 'ffprobe' };
}

async function find(tool: keyof Tools, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  for (const program of [tool, packaged(tool)]) {
    if (program !== undefined && (await runs(program, env))) return program;
  }
  return undefined;
}

function packaged(tool: keyof Tools): string | undefined {
  try {
    return path.join(path.dirname(createRequire(import.meta.url).resolve(`${PACKAGES[tool]}/package.json`)), tool);
  } catch {
    return undefined;
  }
}

const runs = (program: string, env: Readonly<Record<string, string>>) =>
  promisify(execFile)(program, ['-version'], { timeout: 10_000, env }).then(
    () => true,
    () => false,
  );
