import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { until } from '@fanfare/infra';
import type { clusterPrograms } from '../tools.ts';
import { apiExtension } from './api-extensions.ts';
import type { Cluster } from './node.ts';

const NAMESPACE = 'keda';
const LIMIT_MS = 600_000;
const PORTS = { metricsServer: 4443, adapter: 6443, operator: 9666 };

type Programs = ReturnType<typeof clusterPrograms>;

/** metrics-server, for scaling by CPU: what pods use, as the kubelet reports it. */
export async function startMetricsServer(
  { kubectl, kubeconfig, start }: Cluster,
  { metricsServer }: Programs,
  runDir: string,
): Promise<void> {
  const asAdmin = ['--kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig];
  const own = ['--secure-port', String(PORTS.metricsServer), '--cert-dir', path.join(runDir, 'metrics-server')];
  await start('metrics-server', metricsServer, [...asAdmin, ...own, '--kubelet-insecure-tls', '--metric-resolution=15s']);
  kubectl(['apply', '-f', '-'], apiExtension('metrics-server', 'metrics.k8s.io', 'v1beta1', PORTS.metricsServer));
  await until('metrics-server knows no pod', LIMIT_MS, async () => {
    const { items } = JSON.parse(kubectl(['get', '--raw', '/apis/metrics.k8s.io/v1beta1/pods'])) as { items: unknown[] };
    if (items.length === 0) throw new Error('no items');
  });
}

/** KEDA, for scaling by what waits: its operator, and the adapter by which autoscalers ask it. */
export async function startKeda({ kubectl, kubeconfig, start }: Cluster, programs: Programs, runDir: string): Promise<void> {
  kubectl(['create', 'namespace', NAMESPACE]);
  kubectl(['apply', '--server-side', '-f', programs.kedaDefinitions]);
  kubectl(['wait', '--for=condition=Established', 'crd', '--all', '--timeout=60s']);
  const certificates = makeCertificates(path.join(runDir, 'keda'));
  const at = (port: number) => `127.0.0.1:${port}`;
  const settings = [`KUBECONFIG=${kubeconfig}`, 'WATCH_NAMESPACE=', `POD_NAMESPACE=${NAMESPACE}`];
  await start('keda-operator', 'env', [
    ...[...settings, programs.kedaOperator, '--cert-dir', certificates, '--enable-prometheus-metrics=false'],
    ...[`--metrics-service-bind-address=${at(PORTS.operator)}`, '--health-probe-bind-address=0', '--leader-elect=false'],
  ]);
  const asAdmin = ['--lister-kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig];
  await start('keda-adapter', 'env', [
    ...[...settings, programs.kedaAdapter, ...asAdmin, '--cert-dir', certificates, '--port=18080'],
    ...[`--secure-port=${PORTS.adapter}`, `--metrics-service-address=${at(PORTS.operator)}`],
    ...['--tls-cert-file', path.join(certificates, 'tls.crt'), '--tls-private-key-file', path.join(certificates, 'tls.key')],
  ]);
  kubectl(['apply', '-f', '-'], apiExtension('keda', 'external.metrics.k8s.io', 'v1beta1', PORTS.adapter));
  await until('KEDA does not respond', LIMIT_MS, async () => void kubectl(['get', '--raw', '/apis/external.metrics.k8s.io/v1beta1']));
}

/** One for both, which trust each other by it. */
function makeCertificates(folder: string): string {
  mkdirSync(folder);
  const names = 'subjectAltName=DNS:localhost,IP:127.0.0.1';
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const openssl = (...args: string[]) => execFileSync('openssl', ['req', '-x509', ...key, ...args], { cwd: folder, stdio: 'pipe' });
  openssl('-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=KEDA CA');
  openssl('-CA', 'ca.crt', '-CAkey', 'ca.key', '-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=KEDA', '-addext', names);
  return folder;
}
