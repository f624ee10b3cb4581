import { Resolver } from 'node:dns/promises';
import { until } from '@fanfare/infra';
import { fetch } from '@fanfare/runtime/http-client';
import { PAUSE_IMAGE } from '../images.ts';
import { NODE_IP, type Cluster } from '../node.ts';

const LIMIT_MS = 600_000;
const NAME = 'ping';
const labels = { app: NAME };
const port = 8080;

const objects = [
  {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: NAME } },
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          automountServiceAccountToken: false,
          containers: [
            {
              ...{ name: NAME, image: PAUSE_IMAGE, imagePullPolicy: 'Never', args: [`:${port}`] },
              readinessProbe: { httpGet: { port }, periodSeconds: 1 },
            },
          ],
        },
      },
    },
  },
  { apiVersion: 'v1', kind: 'Service', metadata: { name: NAME }, spec: { selector: labels, ports: [{ port: 80, targetPort: port }] } },
];

/** Two pods with a probe, found by name and reached through their Service. @throws Error */
export async function checkNode({ kubectl }: Cluster): Promise<void> {
  for (const one of objects) kubectl(['apply', '-f', '-'], JSON.stringify(one));
  kubectl(['rollout', 'status', `deployment/${NAME}`, `--timeout=${LIMIT_MS / 1000}s`]);
  const dns = new Resolver();
  dns.setServers([NODE_IP]);
  await until(`the Service ${NAME} does not respond`, LIMIT_MS, async () => {
    const [address] = await dns.resolve4(`${NAME}.default.svc.cluster.local`);
    const text = await (await fetch(`http://${address}/`)).text();
    if (text !== 'pong') throw new Error(`it responds with ${text}`);
  });
  kubectl(['delete', 'deployment,service', NAME, '--wait=false']);
}
