import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { recordLog } from '@fanfare/testing';
import { findTools } from './find-tools.ts';

const limits = { memory_mb: 1 };
const decoder = ['prlimit', '--cpu=1'];

test('finds the programs on the PATH, limits them, and logs their paths and versions', async () => {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'tools-'));
  const program = (tool: string) => path.join(directory, tool);
  for (const tool of ['ffmpeg', 'ffprobe'])
    await writeFile(program(tool), `#!/bin/sh\necho ${tool} version 9.0.2-x Copyright\n`, { mode: 0o755 });
  const { log, lines } = recordLog();
  const PATH = ['/nowhere', directory, '/usr/bin', '/bin'].join(path.delimiter);
  expect(await findTools({ PATH }, { decoder, limits }, log)).toEqual({
    ffmpeg: [...decoder, program('ffmpeg')],
    ffprobe: [...decoder, program('ffprobe')],
  });
  expect(lines).toMatchObject([{ msg: 'decoders', ffmpeg: { path: program('ffmpeg'), version: '9.0.2-x' }, limits }]);
  await rm(directory, { recursive: true });
});

test('logs which programs are missing, and how to install them', async () => {
  const { log, lines } = recordLog();
  expect(await findTools({ PATH: '/nowhere' }, { decoder, limits }, log)).toEqual({ ffmpeg: ['ffmpeg'], ffprobe: ['ffprobe'] });
  expect(lines).toMatchObject([{ level: 'error', missing: ['ffmpeg', 'ffprobe'], msg: expect.stringContaining('apt-get install ffmpeg') }]);
});
