// Images have no shell that could run start.sh, so deploy/docker/Dockerfile repeats the flags and variables. They must not drift apart: what was measured
// and tested would not be what runs in production.
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../..');
const dockerfile = await readFile(path.join(ROOT, 'deploy/docker/Dockerfile'), 'utf8');
const stages = new Map(
  dockerfile
    .split(/^FROM /m)
    .slice(1)
    .map((stage) => {
      const [, base = '', name = ''] = /^(\S+) AS (\S+)/.exec(stage) ?? [];
      return [name, { base, text: stage.replaceAll('\\\n', ' ') }];
    }),
);
const APPS = (await readdir(path.join(ROOT, 'apps'), { recursive: true }))
  .filter((file) => /^[\w-]+\/start\.sh$/.test(file))
  .map((file) => path.dirname(file))
  .sort();

test('every service has an image', () => {
  expect(APPS).toContain('gateway');
  expect([...stages.keys()]).toEqual(expect.arrayContaining(APPS));
});

test.each(APPS)('the image of %s starts Node with the flags and variables of its start.sh', async (app) => {
  const script = await readFile(path.join(ROOT, `apps/${app}/start.sh`), 'utf8');
  const flags = /^exec node (.*)$/m
    .exec(script)?.[1]
    ?.replace(' "$@"', '')
    .replaceAll(/"\$here\/([^"]+)"/g, '$1');
  const variables = Object.fromEntries([...script.matchAll(/(MALLOC_\w+)="\$\{\1:-(\d+)\}"/g)].map(([, name, value]) => [name, value]));

  const command = JSON.parse(/^CMD (.*)$/m.exec(stages.get(app)?.text ?? '')?.[1] ?? '[]') as string[];
  expect(command.join(' ').replace('--import ./dist', '--import dist')).toBe(flags);
  expect(mallocOf(app)).toEqual(variables);
});

test('the build gets the manifest of every workspace, without which npm ci fails', async () => {
  const { workspaces } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as { workspaces: string[] };
  const ignored = (await readFile(path.join(ROOT, '.dockerignore'), 'utf8')).split('\n');
  for (const workspace of workspaces) {
    expect(stages.get('manifests')?.text).toContain(` ${workspace}/package.json `);
    if (ignored.includes(workspace)) expect(ignored).toContain(`!${workspace}/package.json`);
  }
});

test('no image runs as root', () => {
  expect(stages.get('runtime')?.text).toMatch(/^USER [1-9]\d*:[1-9]\d*$/m);
  expect(dockerfile.match(/^USER /gm)).toHaveLength(1);
});

/** Of a stage and those that it is built on. */
function mallocOf(name: string): Record<string, string> {
  const stage = stages.get(name);
  if (!stage) return {};
  const own = [...stage.text.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, variable, value]) => [variable, value] as const);
  return { ...mallocOf(stage.base), ...Object.fromEntries(own) };
}
