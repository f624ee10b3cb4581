// What runbooks tell an operator to type and to look at exists: commands with their options, objects of the chart, panels of dashboards, fields of logs.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { HELM, renderOf } from '../src/chart.ts';
import { dashboards } from '../src/dashboards/index.ts';
import { SERVICES } from '../src/settings-of.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const runbooks = globSync('deploy/runbooks/*.md', { cwd: ROOT }).map((file): [string, string] => [
  path.basename(file),
  readFileSync(path.join(ROOT, file), 'utf8').replaceAll(/\s+/g, ' '),
]);
const commandsIn = (text: string) => [...text.matchAll(/`admin ([a-z][^`]*)`/g)].map(([, command = '']) => command);

/** With KEDA and a canary, so that it has objects of every kind. */
const chart = renderOf('large');
const namesOf = (kind: string) => chart.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const components = new Set(chart.map(({ metadata }) => metadata.labels['app.kubernetes.io/component']));
const KINDS = { deploy: 'Deployment', svc: 'Service', scaledobject: 'ScaledObject', networkpolicy: 'NetworkPolicy' } as const;
const ADMIN_PORT = 9100;
const defaults = parse(readFileSync(path.join(HELM, 'fanfare/values.yaml'), 'utf8')) as Record<string, unknown>;
/** Undefined if it begins with no key of values.yaml: then it is something else. */
function isValue(name: string): boolean | undefined {
  const keys = name.split('.');
  if (!(keys[0]! in defaults)) return undefined;
  let at: unknown = defaults;
  for (const key of keys) at = typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined;
  return at !== undefined;
}
/** A page may stand for several services at once. */
const ofServices = (name: string) => (name.includes('SERVICE') ? SERVICES.map((service) => name.replace('SERVICE', service)) : [name]);

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

  test('objects of the cluster are those of the chart', () => {
    const named = [...text.matchAll(/\b(deploy|svc|scaledobject|networkpolicy)[/ ](fanfare-[\w-]+)/g)].flatMap(([, kind = '', name = '']) =>
      ofServices(name).map((one) => [KINDS[kind as keyof typeof KINDS], one] as const),
    );
    expect(named.filter(([kind, name]) => !namesOf(kind).includes(name))).toEqual([]);
    const labels = [...text.matchAll(/app\.kubernetes\.io\/component=([\w-]+)/g)].flatMap(([, name = '']) => ofServices(name));
    expect(labels.filter((one) => !components.has(one))).toEqual([]);
    const ports = [...text.matchAll(/port-forward "\$pod" (\d+)/g)].map(([, port]) => Number(port));
    expect(ports.filter((port) => port !== ADMIN_PORT)).toEqual([]);
    // Values are named by their whole path.
    const values = [...text.matchAll(/`((?:SERVICE|[a-z]\w+)(?:\.[a-z]\w*)+)`/g)].flatMap(([, name = '']) => ofServices(name));
    expect(values.filter((one) => isValue(one) === false)).toEqual([]);
  });

  test('Helm is told the namespace, and what runs in a pod is there', () => {
    expect(text).not.toMatch(/`helm (?!-n fanfare |upgrade`)/);
    // A pod that is started with labels of a service would get its calls: neither a command nor a manifest does that.
    expect(text).not.toContain('app.kubernetes.io/component: ');
    expect(text).not.toMatch(/\bk(?:ubectl)?(?: -n \S+)? (?:run|create|apply)\b/);
    const [, node = ''] = /ENTRYPOINT \["([^"]+)"\]/.exec(readFileSync(path.join(ROOT, 'deploy/docker/Dockerfile'), 'utf8')) ?? [];
    for (const [, program] of text.matchAll(/\bk exec "\$pod" -- (\S+)/g)) expect(program).toBe(node);
    expect(text).not.toContain('k exec deploy');
  });

  test('objects of KEDA are read only where it says so: without it, kubectl fails for the whole command', () => {
    expect(text).not.toMatch(/(?<!With KEDA, )`k [^`]*\bscaledobjects?\b/);
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

test.each(globSync('deploy/{docs,backup,compose}/*.md', { cwd: ROOT }))('%s: kubectl is told the namespace', (file) => {
  const text = readFileSync(path.join(ROOT, file), 'utf8').replaceAll('kubectl apply --dry-run', '');
  expect(text).not.toMatch(/\bkubectl (?:get|rollout|delete|apply|logs|scale|port-forward|annotate|describe|exec|set)\b/);
});
