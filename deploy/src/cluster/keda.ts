import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { applyDefinitions, kedaDefinitions } from '../custom-resources.ts';
import { apiExtension } from './api-extensions.ts';
import type { Cluster } from './node.ts';
import { NEW_KEY, opensslIn, TWO_DAYS } from './openssl.ts';

const NAMESPACE = 'keda';
/** Where the adapter reads from the operator. */
const OPERATOR = 'localhost:9666';
const ADAPTER_PORT = 6444;

/** KEDA, as two processes of the node: its operator makes an autoscaler of each ScaledObject and reads what waits; its adapter tells the autoscalers. */
export async function startKeda(
  { kubectl, asAdmin, kubeconfig, start }: Cluster,
  programs: { operator: string; adapter: string; module: string },
  runDir: string,
): Promise<void> {
  applyDefinitions({ kubectl }, kedaDefinitions(programs.module));
  kubectl(['create', 'namespace', NAMESPACE]);

  const certs = path.join(runDir, 'keda');
  mkdirSync(certs);
  const openssl = opensslIn(certs);
  openssl('req', '-x509', ...NEW_KEY, ...TWO_DAYS, '-keyout', 'ca.key', '-out', 'ca.crt', '-subj', '/CN=KEDA');
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-addext', 'subjectAltName=DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'];
  openssl('req', '-x509', ...NEW_KEY, ...TWO_DAYS, '-keyout', 'tls.key', '-out', 'tls.crt', '-subj', '/CN=keda', ...signed);

  // What its pods have from their manifests: all namespaces, and where Secrets of the whole cluster would be.
  Object.assign(process.env, { WATCH_NAMESPACE: '', KEDA_CLUSTER_OBJECT_NAMESPACE: NAMESPACE });
  const listens = [
    '--metrics-bind-address=127.0.0.1:8091',
    '--health-probe-bind-address=127.0.0.1:8092',
    `--metrics-service-bind-address=${OPERATOR}`,
  ];
  await start('keda-operator', programs.operator, ['--kubeconfig', kubeconfig, `--cert-dir=${certs}`, ...listens]);
  const serves = [`--secure-port=${ADAPTER_PORT}`, '--port=8093', `--cert-dir=${certs}`];
  const pair = [`--tls-cert-file=${path.join(certs, 'tls.crt')}`, `--tls-private-key-file=${path.join(certs, 'tls.key')}`];
  const reads = ['--lister-kubeconfig', kubeconfig, `--metrics-service-address=${OPERATOR}`];
  await start('keda-adapter', programs.adapter, [...asAdmin, ...serves, ...pair, ...reads]);
  kubectl(['apply', '-f', '-'], apiExtension('keda-adapter', 'external.metrics.k8s.io', 'v1beta1', ADAPTER_PORT));
}
