// The .env that setup.sh writes for Docker Compose. deploy/compose/check.sh starts everything with it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const COMPOSE = path.join(import.meta.dirname, '../compose');
const textOf = (file: string) => readFileSync(path.join(COMPOSE, file), 'utf8');
const [, written = ''] = /cat >\.env\.new <<EOF\n([\s\S]*?)\nEOF\n/.exec(textOf('setup.sh')) ?? [];
const assignments = written.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test('every value is in single quotes, so that Compose keeps # and $ in what operators write into it', () => {
  expect(assignments.length).toBeGreaterThan(10);
  expect(assignments.filter((line) => !/^[A-Z_]+='[^']*'$/.test(line))).toEqual([]);
});

test('it has all that compose.yaml requires', () => {
  const required = [...textOf('compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = '']) => name);
  expect(required.length).toBeGreaterThan(3);
  const names = assignments.map((line) => line.split('=')[0]);
  expect(required.filter((name) => !names.includes(name))).toEqual([]);
});
