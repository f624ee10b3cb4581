// `npm run deploy:check`: everything about deploy/ that needs other programs, such as helm, promtool, and Kubernetes' own schemas. `tools.ts` installs what is not there.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { parseAllDocuments, stringify } from 'yaml';
import { checkByApiServer } from './chart-checks/dry-run.ts';
import { HELM, PROFILES, type KubernetesObject } from './chart.ts';
import { checkCustomResources } from './custom-resources.ts';
import { dashboardQueries } from './dashboards/index.ts';
import { checkLiveMetrics } from './chart-checks/live-metrics.ts';
import { permitted, rejected } from './chart-checks/rejected-values.ts';
import { conclude, report, reportOf } from './report.ts';
import { debianProgram, helmProgram, schemaValidator } from './tools.ts';

/** Of which Kubernetes' the renders are. */
const KUBERNETES = '1.34';
const CHART = path.join(HELM, 'fanfare');
const OBSERVABILITY = path.join(HELM, '../observability');

const { values: options } = parseArgs({ options: { 'api-server': { type: 'boolean' }, dashboards: { type: 'boolean' } } });
checkChart();
checkCustomResources();
checkAlertsAndQueries();
if (options['api-server']) await checkByApiServer();
if (options.dashboards) await checkLiveMetrics();
conclude();

function checkChart(): void {
  const helm = helmProgram();
  const validate = schemaValidator();
  const template = (release: string, ...args: string[]) =>
    spawnSync(helm, ['template', release, CHART, '--namespace', 'fanfare', '--kube-version', `${KUBERNETES}.0`, ...args], {
      encoding: 'utf8',
      maxBuffer: 64 << 20,
    });
  for (const profile of PROFILES) {
    const values = path.join(HELM, 'values', `${profile}.yaml`);
    const golden = path.join(HELM, 'golden', `${profile}.yaml`);
    reportOf(`helm lint, ${profile}`, helm, ['lint', '--strict', CHART, '--values', values, '--kube-version', `${KUBERNETES}.0`]);
    const { stdout, stderr } = template('fanfare', '--values', values);
    const isFresh = stdout === readFileSync(golden, 'utf8');
    report(`committed render, ${profile}`, isFresh ? [] : [stderr.trim() || 'it is stale: npm run deploy:render']);
    reportOf(`Kubernetes' schemas, ${profile}`, validate, ['--strict', '--no-warn', '--quiet', '-k', KUBERNETES, golden]);
  }
  const accepted = rejected.flatMap(({ because, args, release = 'fanfare' }) => {
    const { status, stderr } = template(release, '--values', path.join(HELM, 'values/existing-secrets.yaml'), ...args);
    if (status !== 0 && stderr.includes(because)) return [];
    return [`${release} ${args.join(' ')} must be rejected with "${because}", but: ${stderr.trim() || 'accepted'}`];
  });
  report(`${rejected.length} wrong or dangerous values are rejected`, accepted);
  const { stdout, stderr } = template('true', '--values', path.join(HELM, 'values/large.yaml'));
  const isString = stdout.includes('app.kubernetes.io/instance: "true"') && !/instance: true\b/.test(stdout);
  report('a release may be called true', isString ? [] : [stderr.trim() || 'a label of it is no string']);
  for (const { what, args } of permitted) {
    const { status, stderr: problem } = template('fanfare', '--values', path.join(HELM, 'values/large.yaml'), ...args);
    report(what, status === 0 ? [] : [problem.trim()]);
  }
}

function checkAlertsAndQueries(): void {
  const promtool = debianProgram('promtool', 'prometheus');
  reportOf('alerts', promtool, ['check', 'rules', path.join(CHART, 'files/alerts.yaml')]);
  reportOf('tests of alerts', promtool, ['test', 'rules', path.join(OBSERVABILITY, 'alerts.test.yaml')]);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'fanfare-queries-'));
  try {
    for (const namespace of ['first', 'second']) writeFileSync(path.join(scratch, `${namespace}.yaml`), alertsOf(namespace));
    const ofTwo = path.join(scratch, 'test.yaml');
    copyFileSync(path.join(OBSERVABILITY, 'two-installations.test.yaml'), ofTwo);
    reportOf('tests of alerts, two installations', promtool, ['test', 'rules', ofTwo]);
    // As if they were rules: promtool parses them.
    const rules = dashboardQueries().map(({ expr }, at) => ({ record: `query:${at}`, expr }));
    const file = path.join(scratch, 'queries.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'dashboards', rules }] }));
    reportOf(`${rules.length} queries of dashboards`, promtool, ['check', 'rules', file]);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The rules that the chart installs in a namespace. */
function alertsOf(namespace: string): string {
  const args = ['template', 'fanfare', CHART, '--namespace', namespace, '--kube-version', `${KUBERNETES}.0`];
  const values = ['--values', path.join(HELM, 'values/large.yaml'), '--show-only', 'templates/monitoring.yaml'];
  const rendered = execFileSync(helmProgram(), [...args, ...values], { encoding: 'utf8', maxBuffer: 64 << 20 });
  const objects = parseAllDocuments(rendered).map((one) => one.toJS() as KubernetesObject);
  return stringify(objects.find(({ kind }) => kind === 'PrometheusRule')?.['spec']);
}
