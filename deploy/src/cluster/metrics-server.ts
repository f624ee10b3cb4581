import path from 'node:path';
import { apiExtension } from './api-extensions.ts';
import type { Cluster } from './node.ts';

const PORT = 4443;

/** metrics-server, as a process of the node: by what pods use, as the kubelet reports it, autoscalers scale. */
export async function startMetricsServer({ kubectl, asAdmin, start }: Cluster, program: string, runDir: string): Promise<void> {
  const own = ['--secure-port', String(PORT), '--cert-dir', path.join(runDir, 'metrics-server')];
  // The node has no name in DNS.
  const kubelet = ['--kubelet-insecure-tls', '--kubelet-preferred-address-types=InternalIP'];
  await start('metrics-server', program, [...asAdmin, ...own, ...kubelet, '--metric-resolution=15s']);
  kubectl(['apply', '-f', '-'], apiExtension('metrics-server', 'metrics.k8s.io', 'v1beta1', PORT));
}
