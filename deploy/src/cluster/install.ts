import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { HELM } from '../chart.ts';
import { certificateSecrets } from './certificates.ts';
import { NODE_IP, type Cluster } from './node.ts';

const NAMESPACE = 'fanfare';
const SERVICES = ['gateway', 'content', 'library', 'publisher', 'webhooks', 'analytics', 'generation'];
/** Many times what a start takes, for a machine that does other work. */
const READY_LIMIT = '15m';

/** The names of the images in the archive. */
export interface Images {
  readonly tag: string;
  readonly mongodb: string;
  readonly kafka: string;
  /** The user that the Kafka image runs as. */
  readonly kafkaUser: number;
}

/** Installs the chart with MongoDB, Kafka and the sandbox in the cluster, and waits until all pods are ready. What this cluster does not have is off: KEDA, cert-manager, an Ingress controller. */
export function installChart(cluster: Cluster, runDir: string, helm: string, images: Images): void {
  const { kubectl, kubeconfig } = cluster;
  const apply = (yaml: string) => kubectl(['apply', '--namespace', NAMESPACE, '-f', '-'], yaml);
  kubectl(['create', 'namespace', NAMESPACE]);
  kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
  apply(execFileSync(process.execPath, [path.join(HELM, 'make-secret.mjs'), 'fanfare'], { encoding: 'utf8' }));
  apply(certificateSecrets(runDir));
  for (const name of ['volume-1', 'volume-2']) apply(stringify(volume(runDir, name)));

  const values = path.join(runDir, 'values.yaml');
  const { tag, mongodb, kafka, kafkaUser } = images;
  // Requests that fit on a small machine: nothing is measured here.
  const small = { resources: { requests: { cpu: '20m', memory: '64Mi' } } };
  writeFileSync(
    values,
    stringify({
      image: { repository: 'fanfare', tag, pullPolicy: 'Never' },
      dev: { mongodb: { image: mongodb, storage: '1Gi' }, kafka: { image: kafka, user: kafkaUser, storage: '1Gi' } },
      ...{ keda: { enabled: false }, tls: { certManager: { enabled: false } }, ingress: { enabled: false } },
      // CoreDNS is a process of the node here, not a pod.
      networkPolicy: { dns: { to: [{ ipBlock: { cidr: `${NODE_IP}/32` } }] } },
      ...Object.fromEntries(SERVICES.map((service) => [service, small])),
    }),
  );
  const install = ['install', 'fanfare', path.join(HELM, 'fanfare'), '--namespace', NAMESPACE, '--kubeconfig', kubeconfig];
  const all = [...install, '--values', path.join(HELM, 'values/dev.yaml'), '--values', values, '--wait', '--timeout', READY_LIMIT];
  // Otherwise Helm keeps what it learns of the cluster in the home directory.
  const env = { ...process.env, KUBECACHEDIR: path.join(runDir, 'kubectl') };
  execFileSync(helm, all, { env, stdio: 'inherit' });
  console.log(kubectl(['get', 'pods', '--namespace', NAMESPACE]));
}

function volume(runDir: string, name: string) {
  const folder = path.join(runDir, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  const spec = { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: folder } };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
}
