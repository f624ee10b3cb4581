import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { HELM } from '../chart.ts';
import { certificateSecrets } from './certificates.ts';
import { NODE_IP, type Cluster } from './node.ts';
import { createRelease, NAMESPACE, type Release } from './release.ts';

export const SERVICES = ['gateway', 'content', 'library', 'publisher', 'webhooks', 'analytics', 'generation'];

/** The names of the images in the archive. */
export interface Images {
  readonly tag: string;
  /** Of the version that is upgraded to. */
  readonly nextTag: string | undefined;
  readonly mongodb: string;
  readonly kafka: string;
  /** The user that the Kafka image runs as. */
  readonly kafkaUser: number;
}

/** Installs the chart with MongoDB, Kafka and the sandbox in the cluster, and waits until all pods are ready. Neither cert-manager nor an Ingress controller is in this cluster. */
export function installChart(cluster: Cluster, runDir: string, helm: string, images: Images): Release {
  const { kubectl } = cluster;
  kubectl(['create', 'namespace', NAMESPACE]);
  kubectl(['label', 'namespace', NAMESPACE, 'pod-security.kubernetes.io/enforce=restricted']);
  for (const name of ['volume-1', 'volume-2']) kubectl(['apply', '-f', '-'], stringify(volume(name, newFolder(runDir, name))));
  const release = createRelease(cluster, runDir, helm, valuesOf(images));
  release.kubectl(
    ['apply', '-f', '-'],
    execFileSync(process.execPath, [path.join(HELM, 'make-secret.mjs'), 'fanfare'], { encoding: 'utf8' }),
  );
  release.kubectl(['apply', '-f', '-'], certificateSecrets(runDir));
  release.helm('install');
  console.log(release.kubectl(['get', 'pods']));
  return release;
}

/** What differs from values/dev.yaml. */
function valuesOf({ tag, mongodb, kafka, kafkaUser }: Images) {
  // Requests that fit on a small machine: nothing is measured here.
  const small = { resources: { requests: { cpu: '20m', memory: '64Mi' } } };
  return {
    image: { repository: 'fanfare', tag, pullPolicy: 'Never' },
    dev: { tag, mongodb: { image: mongodb, storage: '1Gi' }, kafka: { image: kafka, user: kafkaUser, storage: '1Gi' } },
    tls: { certManager: { enabled: false } },
    ingress: { enabled: false },
    // CoreDNS is a process of the node here, not a pod.
    networkPolicy: { dns: { to: [{ ipBlock: { cidr: `${NODE_IP}/32` } }] } },
    ...Object.fromEntries(SERVICES.map((service) => [service, small])),
  };
}

/** A folder of this machine that a pod of any user may write to. */
export function newFolder(runDir: string, name: string): string {
  const folder = path.join(runDir, name);
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  return folder;
}

export function volume(name: string, folder: string) {
  const spec = { capacity: { storage: '5Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: folder } };
  return { apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name }, spec };
}
