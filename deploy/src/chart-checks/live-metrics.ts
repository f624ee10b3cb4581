import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { claimRunDir, freePorts, startServer, until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';
import { stringify } from 'yaml';
import { HELM } from '../chart.ts';
import { dashboardQueries } from '../dashboards/index.ts';
import { report } from '../report.ts';
import { CACHE, debianProgram } from '../tools.ts';
import { produceTraffic, type RunningPlatform } from './traffic.ts';

const DEV_FILE = path.join(HELM, '../../.fanfare/dev.json');
const READY_LIMIT_MS = 60_000;
/** A rate needs two scrapes after the first event; some gauges are read every 30 s only. */
const DATA_LIMIT_MS = 180_000;
const ROUND_MS = 5_000;

/** Runs the queries of all dashboards and alerts on a Prometheus that scrapes the platform of `npm start`: none may fail, and those that show a healthy platform must have data. */
export async function checkLiveMetrics(): Promise<void> {
  const platform = runningPlatform();
  if (!platform) return report('dashboards with data', ['Fanfare does not run in this folder. Start it first: npm start -- --canary']);
  const { runDir, release } = await claimRunDir(CACHE, false, console.log);
  try {
    const [port = 0] = await freePorts(1);
    const prometheus = await startPrometheus(runDir, port, platform);
    try {
      await produceTraffic(platform);
      await checkQueries(`http://127.0.0.1:${port}`);
      await checkAlerts(`http://127.0.0.1:${port}`);
    } finally {
      await prometheus.stop();
    }
  } finally {
    await release();
  }
}

function runningPlatform(): RunningPlatform | undefined {
  try {
    return JSON.parse(readFileSync(DEV_FILE, 'utf8')) as RunningPlatform;
  } catch {
    return undefined;
  }
}

function startPrometheus(runDir: string, port: number, { health }: RunningPlatform) {
  const config = path.join(runDir, 'prometheus.yaml');
  const targets = Object.values(health).map((url) => new URL(url).host);
  writeFileSync(
    config,
    stringify({
      global: { scrape_interval: '2s', evaluation_interval: '5s' },
      rule_files: [path.join(HELM, 'fanfare/files/alerts.yaml')],
      // As the chart's PodMonitor: the services name themselves.
      scrape_configs: [{ job_name: 'fanfare', honor_labels: true, static_configs: [{ targets, labels: { namespace: 'fanfare' } }] }],
    }),
  );
  const data = path.join(runDir, 'data');
  const args = [`--config.file=${config}`, `--storage.tsdb.path=${data}`, `--web.listen-address=127.0.0.1:${port}`];
  const ready = (signal: AbortSignal) =>
    until('Prometheus does not respond', READY_LIMIT_MS, async () => void (await read(`http://127.0.0.1:${port}/-/ready`)), signal);
  return startServer({ name: 'prometheus', program: debianProgram('prometheus', 'prometheus'), args, runDir, keepData: false, ready });
}

async function checkQueries(url: string): Promise<void> {
  const queries = dashboardQueries();
  const end = performance.now() + DATA_LIMIT_MS;
  for (;;) {
    const results = await Promise.all(queries.map(async (one) => ({ ...one, values: await valuesOf(url, one.expr) })));
    const empty = results.filter(({ values, emptyWhenHealthy }) => values.length === 0 && !emptyWhenHealthy);
    if (empty.length > 0 && performance.now() < end) {
      await wait(ROUND_MS);
      continue;
    }
    const filled = results.filter(({ values }) => values.length > 0).length;
    const problems = empty.map(({ where, expr }) => `${where} has no data: ${expr}`);
    return report(`${queries.length} queries of dashboards on Prometheus, ${filled} with data`, problems);
  }
}

/** Without values that are not a number: a percentile or a share of no event. */
async function valuesOf(url: string, expr: string): Promise<number[]> {
  const { data } = JSON.parse(await read(`${url}/api/v1/query?query=${encodeURIComponent(expr)}`)) as {
    data: { result: { value: [number, string] }[] };
  };
  return data.result.map(({ value }) => Number(value[1])).filter((value) => !Number.isNaN(value));
}

async function checkAlerts(url: string): Promise<void> {
  const { data } = JSON.parse(await read(`${url}/api/v1/rules`)) as {
    data: { groups: { rules: { name: string; query: string; health: string; lastError?: string; state?: string }[] }[] };
  };
  const quiet = new Set(dashboardQueries().flatMap(({ expr, emptyWhenHealthy }) => (emptyWhenHealthy ? metricsIn(expr) : [])));
  const rules = data.groups.flatMap((group) => group.rules);
  const problems = rules.map(async ({ name, query, health, lastError, state }) => {
    // An alert's query has no result while all is well, but its metrics have.
    const metrics = metricsIn(query).filter((metric) => !quiet.has(metric));
    const values = await Promise.all(metrics.map(async (metric) => ({ metric, found: (await valuesOf(url, metric)).length })));
    return [
      ...(health === 'ok' ? [] : [`${name}: ${lastError ?? health}`]),
      ...(state === 'firing' ? [`${name} fires, though the platform is healthy`] : []),
      ...values.filter(({ found }) => found === 0).map(({ metric }) => `${name}: ${metric} has no data`),
    ];
  });
  report(`${rules.length} rules of alerts on Prometheus, none fires`, (await Promise.all(problems)).flat());
}

const metricsIn = (expr: string) => expr.match(/\b(fanfare|process)_\w+/g) ?? [];

/** @throws Error unless the status is 2xx */
async function read(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(READY_LIMIT_MS) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${decodeURIComponent(url)}: ${response.status} ${text}`);
  return text;
}
