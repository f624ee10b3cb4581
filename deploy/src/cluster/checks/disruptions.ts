import { SERVICES } from '../install.ts';
import { checkPublishedOnce, startLoad, summary } from '../load.ts';
import { READY_LIMIT, type Release } from '../release.ts';
import type { Tenant } from '../api.ts';

const PER_SECOND = 2;
const selectorOf = (service: string) => `app.kubernetes.io/name=fanfare,app.kubernetes.io/component=${service}`;

/**
 * Under load, the pods of one service after the other are killed, evicted as when a node is drained, and replaced one by one.
 * @returns what the load saw
 * @throws Error that names posts that are lost or doubled
 */
export async function checkDisruptions({ kubectl }: Release, tenant: Tenant): Promise<string[]> {
  const untilReady = (service: string) => kubectl(['rollout', 'status', `deployment/fanfare-${service}`, `--timeout=${READY_LIMIT}`]);
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
  const lines: string[] = [];
  for (const [way, disrupt] of ways) {
    const load = startLoad({ tenant, name: `Pods ${way}`, perSecond: PER_SECOND });
    const started = performance.now();
    for (const service of SERVICES) {
      disrupt(service);
      untilReady(service);
    }
    const seconds = Math.round((performance.now() - started) / 1000);
    const report = await load.stop();
    const published = await checkPublishedOnce(tenant, report);
    lines.push(
      `all pods ${way}, in ${seconds} s under load: ${summary(report)}; each of ${published} publications is on its platform once`,
    );
  }
  return lines;
}
