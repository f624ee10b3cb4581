import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { installOnce } from './install-once.ts';

let cacheDir: string;

beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(tmpdir(), 'fanfare-cache-'));
});
afterEach(() => rm(cacheDir, { recursive: true }));

const put = (text: string) => (dir: string) => writeFile(path.join(dir, 'program'), text);

test('an installed program is used again', async () => {
  await installOnce(cacheDir, 'kafka-1', put('first'));
  const dir = await installOnce(cacheDir, 'kafka-1', put('second'));
  expect(await readFile(path.join(dir, 'program'), 'utf8')).toBe('first');
});

test('an interrupted download is started again', async () => {
  const broken = installOnce(cacheDir, 'kafka-1', async (dir) => {
    await put('half')(dir);
    throw new Error('connection lost');
  });
  await expect(broken).rejects.toThrow('connection lost');
  expect(await readdir(cacheDir)).toEqual([]);

  const dir = await installOnce(cacheDir, 'kafka-1', put('whole'));
  expect(await readFile(path.join(dir, 'program'), 'utf8')).toBe('whole');
});

test('the partial installation of a killed process is removed', async () => {
  const noSuchProcess = 2 ** 22 + 1; // Above the highest process id of Linux.
  await mkdir(path.join(cacheDir, `.incomplete-kafka-1-${noSuchProcess}`));
  await installOnce(cacheDir, 'kafka-1', put('whole'));
  expect(await readdir(cacheDir)).toEqual(['kafka-1']);
});

test('the second of two concurrent installations keeps the first', async () => {
  const dir = await installOnce(cacheDir, 'kafka-1', async (target) => {
    await put('mine')(target);
    await mkdir(path.join(cacheDir, 'kafka-1'));
    await put('of another process')(path.join(cacheDir, 'kafka-1'));
  });
  expect(await readFile(path.join(dir, 'program'), 'utf8')).toBe('of another process');
  expect(await readdir(cacheDir)).toEqual(['kafka-1']);
});
