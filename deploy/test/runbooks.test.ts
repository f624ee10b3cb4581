// What runbooks tell an operator to type and to look at exists: commands with their options, panels of dashboards, fields of logs.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dashboards } from '../src/dashboards/index.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const runbooks = globSync('deploy/runbooks/*.md', { cwd: ROOT }).map((file): [string, string] => [
  path.basename(file),
  readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' '),
]);
const commandsIn = (text: string) => [...text.matchAll(/`admin ([a-z][^`]*)`/g)].map(([, command = '']) => command);

/** The part of commander's Command that is read here. */
interface Command {
  readonly name: () => string;
  readonly commands: readonly Command[];
  readonly registeredArguments: readonly { readonly required: boolean }[];
  readonly options: readonly { readonly long?: string; readonly mandatory: boolean; readonly required: boolean }[];
}
let admin: Command;
beforeAll(async () => {
  ({ admin } = await import(path.join(ROOT, 'apps/dev/src/admin/admin-command.ts')).then(({ adminCommand }) => ({
    admin: adminCommand(),
  })));
});

/** What is wrong with a command line. */
function problemsOf(line: string): string[] {
  const words = line.match(/'[^']*'|\S+/g) ?? [];
  let command = admin;
  for (let next; (next = command.commands.find((one) => one.name() === words[0])); words.shift()) command = next;
  if (command.commands.length > 0) return [`no command: ${line}`];
  const given: string[] = [];
  const values: string[] = [];
  for (let word; (word = words.shift()) !== undefined;) {
    if (!word.startsWith('--')) {
      values.push(word);
      continue;
    }
    const option = command.options.find(({ long }) => long === word);
    if (!option) return [`no option ${word}: ${line}`];
    given.push(word);
    if (option.required) words.shift();
  }
  const missing = command.options.filter(({ long = '', mandatory }) => mandatory && !given.includes(long));
  const arity =
    values.length > command.registeredArguments.length || values.length < command.registeredArguments.filter((one) => one.required).length;
  return [...missing.map(({ long }) => `lacks ${long}: ${line}`), ...(arity ? [`arguments: ${line}`] : [])];
}

test('commands are found in the runbooks', () => {
  expect(runbooks.flatMap(([, text]) => commandsIn(text)).length).toBeGreaterThan(10);
});

describe.each(runbooks)('%s', (file, text) => {
  test('commands exist, with their options', () => {
    expect(commandsIn(text).flatMap(problemsOf)).toEqual([]);
  });

  test('a pause that it puts is the pause that it ends', () => {
    const target = (line: string) => /--(?:platform|organization|integration) \S+/.exec(line)?.[0];
    const [put, ended] = ['pause put', 'pause end'].map((start) =>
      commandsIn(text)
        .filter((line) => line.startsWith(start))
        .map(target),
    );
    // Alone it ends the pause of everything; the introduction says so.
    expect((ended ?? []).filter((one) => one !== undefined || file !== 'README.md')).toEqual(put);
  });

  test('panels of dashboards have these titles', () => {
    const titles = dashboards.flatMap(({ rows }) => rows.flatMap(({ panels }) => panels.map(({ title }) => title)));
    const named = [...text.matchAll(/(?<![\w`])_([A-Z][^_`]*)_(?!\w)/g)].map(([, title = '']) => title);
    expect(named.filter((title) => !titles.includes(title))).toEqual([]);
  });

  test('logs are searched in all pods of a service, by level names', () => {
    expect(text.replaceAll('`k logs deploy/…`', '')).not.toMatch(/k logs deploy|"level":\d/);
  });
});
