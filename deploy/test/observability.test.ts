// Dashboards and alerts query metrics that the code has, with labels that it gives them; every alert has a runbook and a test that it fires and stops.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { HELM } from '../src/chart.ts';
import { dashboards } from '../src/dashboards/index.ts';
import { fileOf, textOf } from '../src/write-dashboards.ts';

const ROOT = path.join(import.meta.dirname, '../..');

/** Every metric that the services register, with its labels. `service` is on all of them; Prometheus adds the others of `EVERYWHERE`. */
const EVERYWHERE = ['service', 'namespace', 'le'];
const known = new Map<string, { readonly kind: string; readonly labels: readonly string[] }>();
for (const file of globSync('{apps,libs}/*/src/**/*.ts', { cwd: ROOT }).filter((one) => !one.endsWith('.test.ts'))) {
  const text = readFileSync(path.join(ROOT, file), 'utf8');
  for (const [, kind = '', name = '', rest = ''] of text.matchAll(
    /\b(counter|gauge|histogram|readGauge)\(\s*'(fanfare_\w+)',([\s\S]*?)\)(?:;|\.[a-z])/g,
  ))
    known.set(name, { kind, labels: labelsIn(rest, text) });
  // `watchAge` makes a gauge.
  for (const [, name = ''] of text.matchAll(/\bmetric: \{\s*name: '(fanfare_\w+)'/g)) known.set(name, { kind: 'readGauge', labels: [] });
}
/** prom-client's own, of `collectDefaultMetrics`. */
for (const name of [
  'process_start_time_seconds',
  'process_cpu_seconds_total',
  'process_resident_memory_bytes',
  'nodejs_eventloop_lag_p99_seconds',
])
  known.set(name, { kind: 'gauge', labels: [] });

function labelsIn(rest: string, text: string): string[] {
  const named = /,\s*labels\s*$/.test(rest) ? (/const labels = (\[[^\]]*\])/.exec(text)?.[1] ?? '') : rest;
  return [...(/\[([^\]]*)\]/.exec(named)?.[1] ?? '').matchAll(/'(\w+)'/g)].map(([, label = '']) => label);
}

const rules = (
  parse(readFileSync(path.join(HELM, 'fanfare/files/alerts.yaml'), 'utf8')) as {
    groups: {
      rules: { alert?: string; record?: string; expr: string; labels?: { severity: string }; annotations?: Record<string, string> }[];
    }[];
  }
).groups.flatMap((group) => group.rules);
const alerts = rules.filter(({ alert }) => alert !== undefined);
const queries: [string, string][] = [
  ...dashboards.flatMap(({ title, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap((panel) => panel.queries.map(({ expr }): [string, string] => [`${title}: ${panel.title}`, expr])),
    ),
  ),
  ...rules.map(({ alert, record, expr }): [string, string] => [alert ?? record ?? '', expr]),
];

/** Metrics and their matchers: `name{a="b", c=~"d"}`. */
const selectorsIn = (expr: string) =>
  [...expr.matchAll(/\b((?:fanfare|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(([, metric = '', matchers = '']) => ({
    metric: metric.replace(/_(bucket|count|sum)$/, (suffix) => (known.has(metric) ? suffix : '')),
    isPart: !known.has(metric),
    labels: [...matchers.matchAll(/(\w+)\s*[=!]~?\s*"/g)].map(([, label = '']) => label),
  }));

test('the metrics of the code are found, with their labels', () => {
  expect(known.size).toBeGreaterThan(70);
  expect(known.get('fanfare_deliveries_ended_total')).toEqual({ kind: 'counter', labels: ['platform', 'outcome'] });
  expect(known.get('fanfare_http_seconds')).toEqual({ kind: 'histogram', labels: ['method', 'route', 'status'] });
  expect(known.get('fanfare_oldest_due_post_seconds')?.kind).toBe('readGauge');
});

test.each(queries)('%s queries metrics and labels that exist', (_, expr) => {
  const selectors = selectorsIn(expr.replace(/fanfare:\w+/g, ''));
  if (!expr.includes('fanfare:')) expect(selectors).not.toEqual([]);
  for (const { metric, isPart, labels } of selectors) {
    expect([metric, known.has(metric)]).toEqual([metric, true]);
    // Only histograms have _bucket, _count and _sum.
    if (isPart) expect([metric, known.get(metric)?.kind]).toEqual([metric, 'histogram']);
    const all = [...(known.get(metric)?.labels ?? []), ...EVERYWHERE];
    expect(labels.filter((label) => !all.includes(label))).toEqual([]);
  }
  const ofAll = [...selectors.flatMap(({ metric }) => known.get(metric)?.labels ?? []), ...EVERYWHERE];
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, by = '']) =>
    by
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  );
  expect(grouped.filter((label) => !ofAll.includes(label))).toEqual([]);
});

test.each(queries)('%s queries one installation', (_, expr) => {
  // In alerts the chart replaces `fanfare` by its namespace.
  const selectors = [...expr.matchAll(/\b(?:fanfare[_:]|process_|nodejs_)[\w:]+(\{namespace="(?:fanfare|\$namespace)"[,}])?/g)];
  expect(selectors.filter(([, namespace]) => namespace === undefined).map(([selector]) => selector)).toEqual([]);
});

test.each(alerts.map((alert) => [alert.alert ?? '', alert] as const))('%s names the installation', (_, { expr, annotations = {} }) => {
  expect(annotations['summary']).toMatch(/^\{\{ \$labels\.namespace \}\}: /);
  // What an expression groups by is all that its result says.
  for (const [, by = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) expect(by.split(', ')).toContain('namespace');
});

test.each(dashboards.map((dashboard) => [dashboard.name, dashboard] as const))(
  'the dashboard %s is committed as it is generated: run `npm run deploy:render` after a change',
  (_, dashboard) => {
    expect(readFileSync(fileOf(dashboard.name), 'utf8')).toBe(textOf(dashboard));
  },
);

test('the metrics that KEDA scales by exist, without labels of their own', () => {
  const template = readFileSync(path.join(HELM, 'fanfare/templates/keda.yaml'), 'utf8');
  const metrics = [...template.matchAll(/metric: (fanfare_\w+)/g)].map(([, metric = '']) => metric);
  expect(metrics).toHaveLength(5);
  for (const metric of metrics) expect([metric, known.get(metric)?.labels]).toEqual([metric, []]);
});

describe.each(alerts.map((alert) => [alert.alert ?? '', alert] as const))('%s', (name, { labels, annotations = {} }) => {
  test('pages a person or opens a ticket, and names its runbook', () => {
    expect(labels?.severity).toMatch(/^(page|ticket)$/);
    const runbook = path.join(ROOT, annotations['runbook'] ?? '');
    expect(existsSync(runbook)).toBe(true);
    // The page says what callers feel, what to look at, what to do, and when it is over.
    const text = readFileSync(runbook, 'utf8');
    expect(text).toContain(name);
    for (const heading of ['## What callers notice', '## Look', '## Do', '## Over']) expect(text).toContain(heading);
  });

  test('is tested to fire and to stop', () => {
    const { tests } = parse(readFileSync(path.join(ROOT, 'deploy/observability/alerts.test.yaml'), 'utf8')) as {
      tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[];
    };
    const cases = tests
      .flatMap((one) => one.alert_rule_test.filter(({ alertname }) => alertname === name))
      .map(({ exp_alerts }) => (exp_alerts?.length ?? 0) > 0);
    const fires = cases.indexOf(true);
    expect([fires > 0 || cases.lastIndexOf(false) > fires, cases.slice(fires + 1).includes(false)]).toEqual([true, true]);
  });
});

test('every runbook belongs to an alert', () => {
  const files = globSync('deploy/runbooks/*.md', { cwd: ROOT }).filter((file) => !file.endsWith('README.md'));
  expect(files.sort()).toEqual([...new Set(alerts.map(({ annotations }) => annotations?.['runbook']))].sort());
});
