import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@fanfare/infra';
import type { Tenant } from '../load/api.ts';
import { checkPublishedOnce, PLATFORMS, startLoad, summary } from '../load/load.ts';
import type { Release } from '../release.ts';
import { clearFaults, slowDown } from '../load/sandbox.ts';

/** One publisher carries out 40 deliveries of one organization at once: of slow platforms, fewer in a second than this load requires, and three do more. */
const PER_SECOND = 10;
const SLOW_MS = 4_000;
const MOST = 3;
const LEAST = 1;
/** The chart's autoscaler removes one each minute, five minutes after the last peak. */
const LIMIT_MS = 900_000;
const LOOK_MS = 1_000;

/**
 * Under a load that one publisher cannot carry out, KEDA starts more of them, and removes them afterwards.
 * @throws Error that names posts that are lost or doubled
 */
export async function checkScaling({ kubectl }: Release, tenant: Tenant): Promise<string> {
  const publishers = () => Number(kubectl(['get', 'deployment/fanfare-publisher', '-o', 'jsonpath={.status.readyReplicas}']));
  const secondsUntil = async (count: number): Promise<number> => {
    const started = performance.now();
    await until(`the publishers are not ${count}`, LIMIT_MS, async () => {
      await wait(LOOK_MS);
      const now = publishers();
      if (now !== count) throw new Error(`${now} are ready`);
    });
    return Math.round((performance.now() - started) / 1000);
  };
  await secondsUntil(LEAST);
  for (const platform of PLATFORMS) await slowDown(platform, SLOW_MS);
  const load = startLoad({ tenant, name: 'While publishers are added', perSecond: PER_SECOND });
  const up = await secondsUntil(MOST);
  await clearFaults();
  const report = await load.stop();
  const published = await checkPublishedOnce(tenant, report);
  const down = await secondsUntil(LEAST);
  return (
    `KEDA took the publisher from ${LEAST} to ${MOST} after ${up} s of more work than one can do, and back within ${down} s after it: ` +
    `${summary(report)}; ${published}`
  );
}
