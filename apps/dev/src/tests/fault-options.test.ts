import { parseFaultOptions } from './fault-options.ts';

test('runs the short form of all of them', () => {
  expect(parseFaultOptions([])).toEqual({ env: {}, args: ['apps/e2e/test/faults/', 'apps/e2e/test/histories.test.ts'] });
});

test('runs everything, of one platform, with a seed', () => {
  expect(parseFaultOptions(['--full', '--seed', '42', '--containers'])).toMatchObject({
    env: { FAULTS_FULL: 'true', FAULTS_SEED: '42' },
    args: ['--containers', expect.any(String), expect.any(String)],
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
