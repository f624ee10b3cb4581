import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServer, until } from '@fanfare/infra';
import { stringify } from 'yaml';
import { startApiServer, type ApiServer } from '../api-server.ts';
import type { clusterPrograms } from '../tools.ts';
import { aggregatorArgs } from './api-extensions.ts';
import { PAUSE_IMAGE } from './images.ts';

/** The bridge that all pods are on is also the address of the node: some machines permit no dummy interface. */
export const NODE_IP = '10.244.0.1';
const PODS = '10.244.0.0/24';
const SERVICES = '10.96.0.0/16';
const BRIDGE = 'pods';
const READY_LIMIT_MS = 600_000;

export interface Cluster extends Pick<ApiServer, 'kubeconfig' | 'kubectl' | 'tryKubectl'> {
  importImages(archive: string): void;
  /** Arguments with which a program of the cluster calls the API server. */
  readonly asAdmin: readonly string[];
  /** Starts a program of the cluster as a process of the node. */
  start(name: string, program: string, args: string[]): Promise<unknown>;
  /** The process id of a container, which Kubernetes names `containerd://…`. */
  processOf(container: string): number;
}

/** Starts a Kubernetes of one node. This process must be the first of namespaces of its own (processes, network, mounts): what is started ends with it, and nothing of it stays. */
export async function startNode(runDir: string, programs: ReturnType<typeof clusterPrograms>): Promise<Cluster> {
  const start = (name: string, program: string, args: string[], ready: (signal: AbortSignal) => Promise<void> = async () => {}) =>
    startServer({ name, program, args, runDir, keepData: false, ready });
  const file = (name: string, content: object | string) => {
    const at = path.join(runDir, name);
    writeFileSync(at, typeof content === 'string' ? content : stringify(content));
    return at;
  };
  process.env['PATH'] = [...programs.path, process.env['PATH']].join(path.delimiter);
  process.env['LD_LIBRARY_PATH'] = programs.libraries;

  keepFilesIn(runDir);
  const resolver = file('resolv.conf', `nameserver ${NODE_IP}\nsearch svc.cluster.local cluster.local\noptions ndots:5\n`);
  execFileSync('mount', ['--bind', resolver, realpathSync('/etc/resolv.conf')]);
  writeFileSync('/proc/sys/net/ipv4/ip_forward', '1');
  const addresses = `addr add ${NODE_IP}/24 dev ${BRIDGE}`;
  // Without a route to them, the node itself would not even try to reach Services.
  const services = `route add ${SERVICES} dev ${BRIDGE}`;
  for (const command of ['link set lo up', `link add ${BRIDGE} type bridge`, addresses, `link set ${BRIDGE} up`, services])
    execFileSync('ip', command.split(' '));

  const reachable = [
    `--advertise-address=${NODE_IP}`,
    '--bind-address=0.0.0.0',
    '--allow-privileged=true',
    '--kubelet-preferred-address-types=InternalIP',
  ];
  const api = await startApiServer(programs.apiServer, runDir, [...reachable, ...aggregatorArgs(runDir)]);
  const { kubeconfig, kubectl } = api;
  const asAdmin = ['--kubeconfig', kubeconfig, '--authentication-kubeconfig', kubeconfig, '--authorization-kubeconfig', kubeconfig];
  const controllers = [...asAdmin, '--leader-elect=false', '--bind-address=127.0.0.1'];
  const key = path.join(runDir, 'service-accounts.key');
  await start('kube-controller-manager', programs.controllerManager, [...controllers, '--service-account-private-key-file', key]);
  await start('kube-scheduler', programs.scheduler, controllers);

  const socket = path.join(runDir, 'containerd.sock');
  const ctr = (...args: string[]) => execFileSync('ctr', ['--address', socket, '--namespace', 'k8s.io', ...args], { encoding: 'utf8' });
  const processOf = (container: string) => {
    const id = container.replace('containerd://', '');
    return Number(new RegExp(`^${id}\\s+(\\d+)`, 'm').exec(ctr('tasks', 'list'))?.[1]);
  };
  mkdirSync(path.join(runDir, 'cni'));
  file('cni/10-bridge.conflist', JSON.stringify(network));
  const config = file('containerd.toml', containerdConfig(runDir, socket, programs.cni));
  await start('containerd', 'containerd', ['--config', config], (signal) =>
    until('containerd does not respond', READY_LIMIT_MS, async () => void ctr('version'), signal),
  );

  const dns = file('Corefile', corefile(kubeconfig));
  await start('coredns', programs.coredns, ['-conf', dns]);
  const kubelet = file('kubelet.yaml', kubeletConfig(runDir, socket));
  const nodeArgs = ['--kubeconfig', kubeconfig, '--config', kubelet, '--root-dir', path.join(runDir, 'kubelet')];
  await start('kubelet', programs.kubelet, [...nodeArgs, '--node-ip', NODE_IP, '--hostname-override', 'node1']);
  await start('kube-proxy', programs.proxy, ['--config', file('kube-proxy.yaml', proxyConfig(kubeconfig))]);
  await until(
    'the node does not join',
    READY_LIMIT_MS,
    async () => void kubectl(['wait', '--for=condition=Ready', 'node/node1', '--timeout=10s']),
  );
  // The firewall of NetworkPolicies. Pods of one bridge reach each other through iptables only if it says so.
  writeFileSync('/proc/sys/net/bridge/bridge-nf-call-iptables', '1');
  const firewall = ['--run-firewall=true', '--run-router=false', '--run-service-proxy=false', `--service-cluster-ip-range=${SERVICES}`];
  await start('kube-router', programs.kubeRouter, [...firewall, '--kubeconfig', kubeconfig, '--hostname-override', 'node1']);
  return { ...api, importImages: (archive) => void ctr('images', 'import', archive), asAdmin, start, processOf };
}

/** What containerd and the kubelet write at fixed places goes into the run's folder; nobody else sees these mounts. */
function keepFilesIn(runDir: string): void {
  const [upper, work] = ['var', 'var-work'].map((name) => path.join(runDir, name)) as [string, string];
  for (const folder of [upper, work]) mkdirSync(folder);
  execFileSync('mount', ['-t', 'overlay', 'var', '-o', `lowerdir=/var,upperdir=${upper},workdir=${work}`, '/var']);
  execFileSync('mount', ['-t', 'tmpfs', 'run', '/run']);
}

const corefile = (kubeconfig: string) => `.:53 {
  bind ${NODE_IP}
  errors
  kubernetes cluster.local {
    kubeconfig ${kubeconfig}
  }
}
`;

const network = {
  cniVersion: '0.4.0',
  name: 'pods',
  plugins: [
    {
      ...{ type: 'bridge', bridge: BRIDGE, isGateway: true, ipMasq: true, hairpinMode: true },
      ipam: { type: 'host-local', ranges: [[{ subnet: PODS }]], routes: [{ dst: '0.0.0.0/0' }] },
    },
    { type: 'portmap', capabilities: { portMappings: true } },
  ],
};

const containerdConfig = (runDir: string, socket: string, cni: string) => `version = 2
root = "${runDir}/containerd"
state = "${runDir}/containerd-state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${PAUSE_IMAGE}"
  # Containers of this kind cannot lower it.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${cni}"
    conf_dir = "${runDir}/cni"
`;

const kubeletConfig = (runDir: string, socket: string) => ({
  ...{ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', containerRuntimeEndpoint: `unix://${socket}` },
  ...{ cgroupDriver: 'cgroupfs', failCgroupV1: false, failSwapOn: false, enforceNodeAllocatable: [] },
  ...{ authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }, authorization: { mode: 'AlwaysAllow' } },
  ...{ address: NODE_IP, clusterDNS: [NODE_IP], clusterDomain: 'cluster.local', resolvConf: '' },
  // It would remove what cannot be pulled again.
  imageGCHighThresholdPercent: 100,
  volumePluginDir: path.join(runDir, 'volume-plugins'),
  evictionHard: { 'memory.available': '100Mi', 'nodefs.available': '1%', 'imagefs.available': '1%' },
});

const proxyConfig = (kubeconfig: string) => ({
  ...{ apiVersion: 'kubeproxy.config.k8s.io/v1alpha1', kind: 'KubeProxyConfiguration', clientConnection: { kubeconfig } },
  ...{ mode: 'iptables', clusterCIDR: PODS, bindAddress: '127.0.0.1', hostnameOverride: 'node1', conntrack: { maxPerCore: 0, min: 0 } },
});
