import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseFaultOptions } from './fault-options.ts';

test('runs the short form of all of them: every test that the root README names as a proof', () => {
  const { env, args } = parseFaultOptions([]);
  expect(env).toEqual({});
  const readme = readFileSync(path.join(import.meta.dirname, '../../../../README.md'), 'utf8');
  const proofs = [...readme.matchAll(/\]\(([^)]+\.test\.ts)\)/g)].map(([, file = '']) => file);
  expect(proofs.length).toBeGreaterThan(5);
  expect(proofs.filter((file) => !args.some((arg) => file.startsWith(arg)))).toEqual([]);
});

test('runs everything, of one platform, with a seed', () => {
  expect(parseFaultOptions(['--full', '--seed', '42', '--containers'])).toMatchObject({
    env: { FAULTS_FULL: 'true', FAULTS_SEED: '42' },
    args: ['--containers', ...parseFaultOptions([]).args],
  });
  expect(parseFaultOptions(['--platform', 'x', '--full'])).toEqual({
    env: { FAULTS_FULL: 'true', FAULTS_PLATFORM: 'x' },
    args: ['apps/e2e/test/faults/interrupted-calls.test.ts'],
  });
});

test.each([
  [['--platform'], '--platform needs the name of a platform: facebook'],
  [['--platform', 'myspace'], '--platform needs'],
  [['--seed', 'many'], '--seed needs a number'],
  [['--all'], 'There is no option --all.'],
])('rejects %j', (given, message) => {
  expect(() => parseFaultOptions(given)).toThrow(message);
});
