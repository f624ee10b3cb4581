// The table of settings in an app's README, or in a page beside it, names what its config.ts reads, no less and no more.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as runtime from '@fanfare/runtime';
import { workspaceRoot } from '../src/workspace.ts';

const read = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8');

/** Settings that several processes read are spread into the shape of each by the name of their group: `...kafkaEnv`, `...mongoEnv('…')`. */
function groupsOf(config: string): string[] {
  const names = [...config.matchAll(/^ +\.\.\.(\w+Env)\b/gm)].map(([, name = '']) => name);
  return names.flatMap((name) => {
    const group = (runtime as Record<string, unknown>)[name];
    return Object.keys((typeof group === 'function' ? (group as (database: string) => object)('x') : group) as object);
  });
}

const settingsOf = (app: string): string[] => {
  const config = read(`apps/${app}/src/config.ts`);
  // Whatever is read by `readEnv` depends on it: without it a process counts as production.
  const always = config.includes('readEnv(') ? ['NODE_ENV'] : [];
  return [...always, ...groupsOf(config), ...[...config.matchAll(/^ +([A-Z][A-Z0-9_]+):/gm)].map(([, name = '']) => name)];
};

const settingsPageOf = (app: string): string => {
  const own = `apps/${app}/SETTINGS.md`;
  return read(existsSync(path.join(workspaceRoot, own)) ? own : `apps/${app}/README.md`);
};

/** What stands in the first column of the table that is headed `setting`. */
function documentedIn(page: string): string[] {
  const [, table = ''] = /^\| setting .*\n\|[ -|]*\n((?:\|.*\n)+)/m.exec(page) ?? [];
  const firstColumn = table.split('\n').map((row) => row.split('|')[1] ?? '');
  return [...firstColumn.join(' ').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

test.each(['analytics', 'gateway', 'content', 'generation', 'library', 'publisher', 'sandbox'])(
  'the settings of %s are documented, each that it reads',
  (app) => {
    const settings = settingsOf(app);
    expect(settings).toContain('LOG_LEVEL');
    expect(documentedIn(settingsPageOf(app)).toSorted()).toEqual([...new Set(settings)].toSorted());
  },
);

test.each(['analytics', 'gateway', 'content', 'generation', 'library', 'publisher', 'sandbox'])(
  'the README of %s says how it is started by hand',
  (app) => {
    expect(read(`apps/${app}/README.md`)).toMatch(new RegExp(`nx run ${app}:build[\\s\\S]*apps/${app}/start\\.sh`));
  },
);
