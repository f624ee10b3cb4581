import { CHANGES, FLOOR_VERSION, VERSIONS } from '@fanfare/resources';
import { INTRODUCTION } from './introduction.ts';

const rowOf = (version: string) => INTRODUCTION.split('\n').find((line) => line.startsWith(`- \`${version}\``)) ?? '';
const [, missed = ''] = /you miss .*:\n\n((?:- .*\n)*)/.exec(INTRODUCTION) ?? [];

test.each(VERSIONS)('lists the breaking changes of %s, or says that there are none', (version) => {
  const changes = CHANGES.filter(({ date }) => date === version);
  for (const { description } of changes) expect(rowOf(version)).toContain(description);
  if (changes.length === 0) expect(rowOf(version)).toMatch(/No breaking change|The first version/);
});

test('lists the changes that callers without a pinned version miss', () => {
  for (const { date, description } of CHANGES) expect(missed.split('\n').includes(`- ${description}`)).toBe(date > FLOOR_VERSION);
});
