import { execFileSync } from 'node:child_process';
import { until } from '@fanfare/infra';
import { stringify } from 'yaml';
import { renderOf, type KubernetesObject } from '../../chart.ts';
import { PAUSE_IMAGE } from '../images.ts';
import type { Cluster } from '../node.ts';

const PROFILE = 'dev';
const NAMESPACE = 'policies';
const LIMIT_MS = 600_000;

type Labels = Readonly<Record<string, string>>;
interface Peer {
  readonly podSelector?: { readonly matchLabels?: Labels };
  readonly namespaceSelector?: { readonly matchLabels?: Labels };
  readonly ipBlock?: object;
}
interface Policy {
  readonly podSelector: { readonly matchLabels?: Labels };
  readonly policyTypes: readonly string[];
  readonly ingress?: readonly { readonly from?: readonly Peer[]; readonly ports?: readonly { readonly port: number }[] }[];
  readonly egress?: readonly { readonly to?: readonly Peer[]; readonly ports?: readonly { readonly port: number }[] }[];
}
interface Pod {
  readonly name: string;
  readonly namespace: string;
  readonly labels: Labels;
  readonly ports: readonly number[];
}

/**
 * Whether the network between pods is what the chart's NetworkPolicies say: pods with the labels and ports of all services, and some of others, try every connection to each other.
 * @returns how many connections were tried, and how many of them are allowed
 * @throws Error that names those that are open and should not be, or the other way round
 */
export async function checkNetworkPolicies({ kubectl, processOf }: Cluster): Promise<{ tried: number; allowed: number }> {
  const objects = renderOf(PROFILE);
  const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy');
  const workloads = objects.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  const pods: Pod[] = [
    ...workloads.map((one) => ({ name: one.metadata.name, namespace: NAMESPACE, ...templateOf(one) })),
    { name: 'other', namespace: NAMESPACE, labels: {}, ports: [] },
    // Those that values/dev.yaml lets in, and one that nobody lets in.
    ...['ingress-nginx', 'monitoring', 'keda', 'elsewhere'].map((namespace) => ({ name: 'pod', namespace, labels: {}, ports: [] })),
  ];
  for (const namespace of new Set(pods.map((pod) => pod.namespace))) kubectl(['create', 'namespace', namespace]);
  kubectl(['apply', '-f', '-'], pods.map((pod) => stringify(podOf(pod))).join('---\n'));
  kubectl(['apply', '--namespace', NAMESPACE, '-f', '-'], policies.map((policy) => stringify(policy)).join('---\n'));
  for (const { name, namespace } of pods)
    kubectl(['wait', '--for=condition=Ready', 'pod', name, '--namespace', namespace, '--timeout=600s']);

  const running = pods.map((pod) => {
    const { status } = JSON.parse(kubectl(['get', 'pod', pod.name, '--namespace', pod.namespace, '-o', 'json'])) as {
      status: { podIP: string; containerStatuses: { containerID: string }[] };
    };
    return { ...pod, ip: status.podIP, process: processOf(status.containerStatuses[0]?.containerID ?? '') };
  });
  const targets = running.flatMap(({ name, ip, labels, namespace, ports }) => ports.map((port) => ({ name, ip, labels, namespace, port })));
  const specs = policies.map(({ spec }) => spec as Policy);
  const expected = running.map((from) => targets.map((to) => isAllowed(specs, from, to)));
  // The firewall is told of policies and pods one after the other.
  await until('the network differs from the NetworkPolicies', LIMIT_MS, async () => {
    const wrong = running.flatMap((from, row) => {
      const open = opened(from.process, targets);
      return targets.flatMap(({ name, port }, column) =>
        open[column] === expected[row]?.[column] || from.name === name
          ? []
          : [`${from.namespace}/${from.name} to ${name}:${port} is ${open[column] ? 'open' : 'closed'}`],
      );
    });
    if (wrong.length > 0) throw new Error(wrong.join('; '));
  });
  kubectl(['delete', 'namespace', ...new Set(pods.map((pod) => pod.namespace)), '--wait=false']);
  return { tried: running.length * targets.length, allowed: expected.flat().filter(Boolean).length };
}

function templateOf({ spec }: KubernetesObject): { labels: Labels; ports: number[] } {
  const { metadata, spec: pod } = (
    spec as {
      template: { metadata: { labels: Labels }; spec: { containers: { ports?: { containerPort: number }[] }[] } };
    }
  ).template;
  return { labels: metadata.labels, ports: pod.containers.flatMap(({ ports = [] }) => ports.map(({ containerPort }) => containerPort)) };
}

const podOf = ({ name, namespace, labels, ports }: Pod) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace, labels } },
  spec: {
    automountServiceAccountToken: false,
    containers: [{ name: 'ping', image: PAUSE_IMAGE, imagePullPolicy: 'Never', args: ports.map((port) => `:${port}`) }],
  },
});

/** A connection needs the permission of both its ends; a pod that no policy selects permits everything. */
function isAllowed(policies: readonly Policy[], from: Pod, to: Omit<Pod, 'ports'> & { readonly port: number }): boolean {
  const permits = (type: 'Ingress' | 'Egress', pod: Pick<Pod, 'namespace' | 'labels'>, other: Pick<Pod, 'namespace' | 'labels'>) => {
    const selecting = policies.filter(
      ({ policyTypes, podSelector }) =>
        pod.namespace === NAMESPACE && policyTypes.includes(type) && has(pod.labels, podSelector.matchLabels),
    );
    const rules = selecting.flatMap(({ ingress = [], egress = [] }) =>
      type === 'Ingress'
        ? ingress.map(({ from: peers, ports }) => ({ peers, ports }))
        : egress.map(({ to: peers, ports }) => ({ peers, ports })),
    );
    const fits = rules.some(
      ({ peers, ports }) => (!ports || ports.some(({ port }) => port === to.port)) && (!peers || peers.some((peer) => isPeer(peer, other))),
    );
    return selecting.length === 0 || fits;
  };
  return permits('Egress', from, to) && permits('Ingress', to, from);
}

/** Blocks of addresses are the internet: no pod is in them. */
function isPeer({ podSelector, namespaceSelector, ipBlock }: Peer, { namespace, labels }: Pick<Pod, 'namespace' | 'labels'>): boolean {
  if (ipBlock) return false;
  const isIn = namespaceSelector
    ? has({ 'kubernetes.io/metadata.name': namespace }, namespaceSelector.matchLabels)
    : namespace === NAMESPACE;
  return isIn && has(labels, podSelector?.matchLabels);
}

const has = (labels: Labels, wanted: Labels = {}) => Object.entries(wanted).every(([name, value]) => labels[name] === value);

/** Which targets accept a connection from the network of a process. */
function opened(fromProcess: number, targets: readonly { readonly ip: string; readonly port: number }[]): boolean[] {
  const program = `
    const tries = ${JSON.stringify(targets.map(({ ip, port }) => [ip, port]))}.map(([host, port]) => new Promise((resolve) => {
      const socket = require('node:net').connect({ host, port });
      const end = (open) => { resolve(open); socket.destroy(); };
      socket.once('connect', () => end(true)).once('error', () => end(false)).setTimeout(3000, () => end(false));
    }));
    Promise.all(tries).then((open) => console.log(JSON.stringify(open)));`;
  const command = ['--target', String(fromProcess), '--net', '--', process.execPath, '--eval', program];
  return JSON.parse(execFileSync('nsenter', command, { encoding: 'utf8' })) as boolean[];
}
