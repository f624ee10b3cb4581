import { until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';
import { stringify } from 'yaml';
import { INGRESS_CLASS } from './install.ts';
import { HOST, NODE_IP, type Cluster } from './node.ts';

export const PUBLIC_URL = `http://${HOST}`;
const LIMIT_MS = 180_000;

/** Traefik, as a process of the node: connections to its address go to the pods that Ingresses name. */
export async function startIngressController({ kubectl, kubeconfig, start }: Cluster, program: string): Promise<void> {
  const spec = { controller: 'traefik.io/ingress-controller' };
  kubectl(
    ['apply', '-f', '-'],
    stringify({ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: INGRESS_CLASS }, spec }),
  );
  await start('traefik', 'env', [
    ...[`KUBECONFIG=${kubeconfig}`, program],
    ...[`--entrypoints.web.address=${NODE_IP}:80`, `--providers.kubernetesingress.ingressclass=${INGRESS_CLASS}`],
    ...['--global.checknewversion=false', '--global.sendanonymoususage=false', '--log.level=INFO'],
  ]);
}

/** Until the API responds at its public address. */
export async function untilServed(): Promise<void> {
  await until(`${PUBLIC_URL} does not respond`, LIMIT_MS, async () => {
    const { status } = await fetch(`${PUBLIC_URL}/api/platforms`);
    // Without a key.
    if (status !== 401) throw new Error(`the status is ${status}`);
  });
}
