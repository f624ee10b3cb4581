import { access, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openSpool } from './spool.ts';

let parent: string;
beforeEach(async () => {
  parent = await mkdtemp(path.join(os.tmpdir(), 'spool-test-'));
});
afterEach(() => rm(parent, { recursive: true }));

test('a file goes when the work is done, well or not', async () => {
  const spool = await openSpool(parent);
  const files: string[] = [];
  const write = async (file: string) => {
    files.push(file);
    await writeFile(file, 'x');
    return 'done';
  };
  expect(await spool.withFile(write)).toBe('done');
  await expect(spool.withFile((file) => write(file).then(() => Promise.reject(new Error('failed'))))).rejects.toThrow('failed');
  for (const file of files) await expect(access(file)).rejects.toThrow();
  await spool.close();
  expect(await readdir(parent)).toEqual([]);
});

test('what killed processes left goes at the next start: also of one that had the same id, never of one that lives', async () => {
  const [dead, before, alive] = [`fanfare-library-999999-a`, `fanfare-library-${process.pid}-b`, `fanfare-library-${process.ppid}-c`];
  for (const name of [dead, before, alive, 'another']) {
    await mkdir(path.join(parent, name));
    await writeFile(path.join(parent, name, 'file'), 'x');
  }
  const [first, second] = [await openSpool(parent), await openSpool(parent)];
  const left = await readdir(parent);
  expect(left).toHaveLength(4);
  expect(left).toEqual(expect.arrayContaining([alive, 'another']));
  await first.close();
  await second.close();
});

test('a disk that is nearly full takes no more', async () => {
  const spool = await openSpool(parent, Number.MAX_SAFE_INTEGER);
  await expect(spool.withFile(async () => undefined)).rejects.toMatchObject({ code: 'internal_error', retryAfterSeconds: 30 });
  await spool.close();
});
