// READMEs that list platforms list every one.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { platformRules } from '../src/platform.ts';

const textOf = (file: string) => readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8').replaceAll(/\s+/g, ' ');
const rules = Object.values(platformRules);

test.each(rules.map(({ label }) => label))('the READMEs of the project and of the sandbox name %s', (label) => {
  expect(/It publishes to (.*?)\. /.exec(textOf('README.md'))?.[1]).toContain(`**${label}**`);
  expect(/test mode: (.*?)\. /.exec(textOf('apps/sandbox/README.md'))?.[1]).toContain(label);
});

test('the README says which platforms cannot delete posts', () => {
  const others = rules.filter(({ capabilities }) => !capabilities.includes('unpublish')).map(({ label }) => label);
  expect(textOf('README.md')).toContain(`whose API can delete posts (all but ${new Intl.ListFormat('en').format(others)})`);
});
