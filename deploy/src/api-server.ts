import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePorts, startServer, until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';
import type { apiServerPrograms } from './tools.ts';

const READY_LIMIT_MS = 600_000;

export interface ApiServer {
  /** With the rights of an administrator. */
  readonly kubeconfig: string;
  /** @throws Error with what kubectl printed, unless it exits with 0 */
  kubectl(args: readonly string[], input?: string): string;
  /** The same without the exception. */
  tryKubectl(args: readonly string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  stop(): Promise<void>;
}

/**
 * Starts a Kubernetes API server, and etcd for it, on loopback. Nothing runs pods.
 * @param runDir for their files; the servers are recognized by it if they outlive us
 * @param more further arguments of the API server
 */
export async function startApiServer(
  programs: ReturnType<typeof apiServerPrograms>,
  runDir: string,
  more: readonly string[] = [],
): Promise<ApiServer> {
  const [client = 0, peer = 0, port = 0] = await freePorts(3);
  const etcdUrl = `http://127.0.0.1:${client}`;
  const etcd = await startServer({
    ...{ name: 'etcd', program: programs.etcd, runDir, keepData: false },
    args: [
      ...['--data-dir', path.join(runDir, 'etcd'), '--listen-client-urls', etcdUrl, '--advertise-client-urls', etcdUrl],
      ...['--listen-peer-urls', `http://127.0.0.1:${peer}`],
    ],
    ready: (signal) =>
      until('etcd does not respond', READY_LIMIT_MS, async () => void (await (await fetch(`${etcdUrl}/health`)).text()), signal),
  });
  try {
    const kubeconfig = writeKubeconfig(runDir, port);
    const options = { encoding: 'utf8', maxBuffer: 64 << 20 } as const;
    const all = (args: readonly string[]) => [`--kubeconfig=${kubeconfig}`, `--cache-dir=${path.join(runDir, 'kubectl')}`, ...args];
    const kubectl = (args: readonly string[], input?: string) =>
      execFileSync(programs.kubectl, all(args), { ...options, input, stdio: ['pipe', 'pipe', 'pipe'] });
    const server = await startServer({
      ...{ name: 'kube-apiserver', program: programs.server, runDir, keepData: false },
      args: [...argsOf(runDir, etcdUrl, port), ...more],
      ready: (signal) =>
        until('kube-apiserver does not respond', READY_LIMIT_MS, async () => void kubectl(['get', '--raw', '/readyz']), signal),
    });
    const stop = async () => {
      await server.stop();
      await etcd.stop();
    };
    return { kubeconfig, kubectl, tryKubectl: (args) => spawnSync(programs.kubectl, all(args), options), stop };
  } catch (error) {
    await etcd.stop();
    throw error;
  }
}

function argsOf(runDir: string, etcdUrl: string, port: number): string[] {
  const key = path.join(runDir, 'service-accounts.key');
  execFileSync('openssl', ['genrsa', '-out', key, '2048'], { stdio: 'ignore' });
  return [
    ...[`--etcd-servers=${etcdUrl}`, `--secure-port=${port}`, '--bind-address=127.0.0.1', '--advertise-address=127.0.0.1'],
    ...[`--cert-dir=${path.join(runDir, 'certificates')}`, '--service-cluster-ip-range=10.96.0.0/16'],
    ...['--service-account-issuer=https://kubernetes', `--service-account-key-file=${key}`, `--service-account-signing-key-file=${key}`],
    ...[`--token-auth-file=${path.join(runDir, 'tokens.csv')}`, '--authorization-mode=RBAC'],
  ];
}

function writeKubeconfig(runDir: string, port: number): string {
  writeFileSync(path.join(runDir, 'tokens.csv'), 'admin,admin,admin,"system:masters"\n');
  const kubeconfig = path.join(runDir, 'kubeconfig');
  const content = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'fanfare' },
    clusters: [{ name: 'fanfare', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: 'admin' } }],
    contexts: [{ name: 'fanfare', context: { cluster: 'fanfare', user: 'admin' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(content));
  return kubeconfig;
}
