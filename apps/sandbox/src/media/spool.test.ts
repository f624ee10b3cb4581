import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSpool } from './spool.ts';

async function* pieces(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}

async function* breakingOff(): AsyncGenerator<Buffer> {
  yield* pieces('half');
  throw new Error('interrupted');
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('written bytes are in a file, with its size and digest', async () => {
  const spool = createSpool();
  const file = await spool.write(pieces('ab', 'c'));
  expect(file).toMatchObject({ length: 3, sha256: sha256('abc') });
  expect(readFileSync(file.path, 'utf8')).toBe('abc');
  spool.discard(file);
  expect(existsSync(file.path)).toBe(false);
  spool.clear();
});

test('parts become one file, in order, and are removed', async () => {
  const spool = createSpool();
  const parts = [await spool.write(pieces('one ')), await spool.write(pieces('two ')), await spool.write(pieces('three'))];
  const whole = await spool.join(parts);
  expect(whole).toMatchObject({ length: 13, sha256: sha256('one two three') });
  expect(readFileSync(whole.path, 'utf8')).toBe('one two three');
  expect(parts.map((part) => existsSync(part.path))).toEqual([false, false, false]);
  spool.clear();
});

test('the oldest files are removed when all together are too large', async () => {
  const spool = createSpool(tmpdir(), 10);
  const files = [await spool.write(pieces('aaaa')), await spool.write(pieces('bbbb')), await spool.write(pieces('cccc'))];
  expect(files.map((file) => existsSync(file.path))).toEqual([false, true, true]);
  const large = await spool.write(pieces('d'.repeat(20)));
  expect([...files, large].map((file) => existsSync(file.path))).toEqual([false, false, false, true]);
  spool.clear();
});

test('an interrupted write leaves nothing, and neither does a cleared spool', async () => {
  const spool = createSpool();
  const kept = await spool.write(pieces('kept'));
  await expect(spool.write(breakingOff())).rejects.toThrow('interrupted');
  expect(existsSync(path.join(path.dirname(kept.path), '2'))).toBe(false);
  spool.clear();
  expect(existsSync(path.dirname(kept.path))).toBe(false);
  const later = await spool.write(pieces('later'));
  expect(readFileSync(later.path, 'utf8')).toBe('later');
  spool.clear();
});
