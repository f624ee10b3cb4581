import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createLogger } from '@fanfare/runtime';
import { findTools } from './find-tools.ts';

const log = createLogger('test', 'silent');

test('what is on the PATH comes first', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tools-'));
  for (const tool of ['ffmpeg', 'ffprobe']) await writeFile(path.join(directory, tool), '#!/bin/sh\n', { mode: 0o755 });
  expect(await findTools({ PATH: directory }, log)).toEqual({ ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' });
  await rm(directory, { recursive: true });
});

test('else what npm has for this machine', async () => {
  const tools = await findTools({ PATH: '/nowhere' }, log);
  const isPackaged = os.platform() === 'linux' && os.arch() === 'x64';
  expect(tools.ffmpeg).toMatch(isPackaged ? /node_modules\/@ffmpeg-installer\/linux-x64\/ffmpeg$/ : /^ffmpeg$/);
  expect(tools.ffprobe).toMatch(isPackaged ? /node_modules\/@ffprobe-installer\/linux-x64\/ffprobe$/ : /^ffprobe$/);
});
