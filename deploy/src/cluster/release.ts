import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { HELM } from '../chart.ts';
import type { Cluster } from './node.ts';

export const NAMESPACE = 'fanfare';
/** A new MongoDB becomes primary within that time. */
const MONGODB_URL = `mongodb://fanfare-mongodb.${NAMESPACE}.svc:27017/?replicaSet=rs0&serverSelectionTimeoutMS=60000`;
/** Many times what a start takes, for a machine that does other work. */
export const READY_LIMIT = '15m';
/** The API server of a machine that does other work may not get round to it. */
const isUnreachable = /TLS handshake timeout|i\/o timeout|Client\.Timeout|context deadline exceeded|etcdserver: /;
const MOST_TRIES = 20;
const ROOT = path.join(HELM, '../..');

/** Fanfare as it is installed in the cluster. */
export interface Release {
  readonly runDir: string;
  /** In the namespace of the release. @throws Error with what kubectl printed */
  kubectl(args: readonly string[], input?: string): string;
  /** Waits until all pods are ready. @param changed values that differ from those of the installation */
  helm(command: 'install' | 'upgrade' | 'rollback', changed?: object): void;
  /** A script of deploy/backup, for the MongoDB of the cluster. What it prints is returned. */
  backup(script: 'backup.sh' | 'restore-kubernetes.sh', args: readonly string[]): { readonly code: number | null; readonly out: string };
  /** A command of operators, with their certificate. What it prints goes to standard error, its result is returned. */
  admin(args: readonly string[]): { readonly code: number | null; readonly out: string };
}

export function createRelease(cluster: Cluster, runDir: string, helm: string, values: object): Release {
  const kubectl = (args: readonly string[], input?: string) => {
    for (let tries = 1; ; tries++)
      try {
        return cluster.kubectl(['--namespace', NAMESPACE, ...args], input);
      } catch (error) {
        if (tries === MOST_TRIES || !isUnreachable.test((error as { stderr?: string }).stderr ?? '')) throw error;
      }
  };
  const file = (name: string, content: object) => {
    const at = path.join(runDir, name);
    writeFileSync(at, stringify(content));
    return at;
  };
  const own = file('values.yaml', values);
  const where = ['--namespace', NAMESPACE, '--kubeconfig', cluster.kubeconfig, '--wait', '--timeout', READY_LIMIT];
  return {
    runDir,
    kubectl,
    helm(command, changed = {}) {
      const files = [path.join(HELM, 'values/dev.yaml'), own, file('changed-values.yaml', changed)];
      const chart = command === 'rollback' ? [] : [path.join(HELM, 'fanfare'), ...files.flatMap((one) => ['--values', one])];
      // Otherwise Helm keeps what it learns of the cluster in the home directory.
      const env = { ...process.env, KUBECACHEDIR: path.join(runDir, 'kubectl') };
      execFileSync(helm, [command, 'fanfare', ...chart, ...where], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    },
    backup(script, args) {
      const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, KUBECACHEDIR: path.join(runDir, 'kubectl'), MONGODB_URL };
      const { status, stdout } = spawnSync(path.join(ROOT, 'deploy/backup', script), args, {
        ...{ env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 64 << 20 },
      });
      return { code: status, out: stdout };
    },
    admin(args) {
      const env = { ...process.env, ...operatorSettings(runDir, kubectl) };
      const command = [path.join(ROOT, 'apps/dev/bootstrap.mjs'), 'admin', ...args];
      const { status, stdout } = spawnSync(process.execPath, command, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
      return { code: status, out: stdout };
    },
  };
}

/** As deploy/docs/kubernetes.md says, but for the addresses: the node reaches every pod. */
function operatorSettings(runDir: string, kubectl: Release['kubectl']): Record<string, string> {
  const folder = path.join(runDir, 'operator');
  mkdirSync(folder, { recursive: true });
  const { data } = JSON.parse(kubectl(['get', 'secret', 'fanfare-operator-tls', '-o', 'json'])) as { data: Record<string, string> };
  const part = (name: string) => {
    const at = path.join(folder, name);
    writeFileSync(at, Buffer.from(data[name] ?? '', 'base64'), { mode: 0o600 });
    return at;
  };
  const address = (service: string) => `fanfare-${service}.${NAMESPACE}.svc:9000`;
  return {
    ...{ TLS_CERT_FILE: part('tls.crt'), TLS_KEY_FILE: part('tls.key'), TLS_CA_FILE: part('ca.crt') },
    ...{ GATEWAY_ADMIN_ADDRESS: address('gateway'), CONTENT_ADDRESS: address('content') },
    ...{ PUBLISHER_ADDRESS: address('publisher'), WEBHOOKS_ADDRESS: address('webhooks') },
  };
}
