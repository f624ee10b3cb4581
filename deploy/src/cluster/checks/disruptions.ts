import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@fanfare/infra';
import { SERVICES } from '../install.ts';
import { checkPublishedOnce, startLoad, summary } from '../load/load.ts';
import { READY_LIMIT, type Release } from '../release.ts';
import type { Tenant } from '../load/api.ts';

const PER_SECOND = 2;
const LIMIT_MS = 900_000;
const LOOK_MS = 1_000;

interface Pod {
  readonly metadata: { readonly name: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}
const isReady = ({ status }: Pod) => status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True');
const selectorOf = (service: string) => `app.kubernetes.io/name=fanfare,app.kubernetes.io/component=${service}`;

/**
 * Under load, the pods of one service after the other are killed, evicted as when a node is drained, and replaced one by one.
 * @throws Error that names posts that are lost or doubled
 */
export async function checkDisruptions({ kubectl }: Release, tenant: Tenant, done: (what: string) => void): Promise<void> {
  const podsOf = (service: string) =>
    JSON.parse(kubectl(['get', 'pods', '--selector', selectorOf(service), '-o', 'json'])) as { items: Pod[] };
  const untilReplaced = (service: string, old: readonly string[]) =>
    until(`${service} has no new pod`, LIMIT_MS, async () => {
      await wait(LOOK_MS);
      const { items } = podsOf(service);
      const problems = items.filter((pod) => old.includes(pod.metadata.name) || !isReady(pod)).map(({ metadata: { name } }) => name);
      if (items.length === 0 || problems.length > 0) throw new Error(problems.join(', '));
    });
  const ways: readonly (readonly [string, (service: string) => void])[] = [
    ['killed', (service) => kubectl(['delete', 'pod', '--selector', selectorOf(service), '--grace-period=0', '--force'])],
    [
      'drained',
      (service) => {
        // The node takes no new pod until the old ones have left it.
        kubectl(['drain', 'node1', '--pod-selector', selectorOf(service), '--delete-emptydir-data', '--timeout', READY_LIMIT]);
        kubectl(['uncordon', 'node1']);
      },
    ],
    ['restarted', (service) => kubectl(['rollout', 'restart', `deployment/fanfare-${service}`])],
  ];
  for (const [way, disrupt] of ways) {
    const load = startLoad({ tenant, name: `Pods ${way}`, perSecond: PER_SECOND });
    const started = performance.now();
    for (const service of SERVICES) {
      const old = podsOf(service).items.map(({ metadata: { name } }) => name);
      disrupt(service);
      await untilReplaced(service, old);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    const report = await load.stop();
    const published = await checkPublishedOnce(tenant, report, { mayBeUnknown: way === 'killed' });
    done(`all pods ${way}, in ${seconds} s under load: ${summary(report)}; ${published}`);
  }
}
