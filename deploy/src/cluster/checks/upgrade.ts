import type { Tenant } from '../load/api.ts';
import { checkPublishedOnce, startLoad, summary } from '../load/load.ts';
import type { Release } from '../release.ts';

const PER_SECOND = 2;

/**
 * Under load, an upgrade to the images of another version, and back.
 * @throws Error that names posts that are lost or doubled
 */
export async function checkUpgrade({ helm }: Release, tenant: Tenant, tag: string, done: (what: string) => void): Promise<void> {
  const ways = [
    ['upgrade', () => helm('upgrade', { image: { tag } })],
    ['rollback', () => helm('rollback')],
  ] as const;
  for (const [way, change] of ways) {
    const load = startLoad({ tenant, name: `During the ${way}`, perSecond: PER_SECOND });
    const started = performance.now();
    change();
    const seconds = Math.round((performance.now() - started) / 1000);
    const report = await load.stop();
    const published = await checkPublishedOnce(tenant, report);
    done(`${way} in ${seconds} s under load: ${summary(report)}; ${published}`);
  }
}
