import { until } from '@fanfare/infra';
import type { Tenant } from '../load/api.ts';
import { API_URL, untilServed } from '../load/gateway.ts';
import type { Release } from '../release.ts';

const LIMIT_MS = 600_000;

interface Report extends Tenant {
  readonly publish_results: readonly { readonly platform: string; readonly status: string }[];
}

/** The demo's post, with an image, published through the API. @returns its organization, which has an account of each platform */
export async function checkDemo(release: Release): Promise<{ tenant: Tenant; platforms: number }> {
  await untilServed();
  // The first requests of new processes take long on a busy machine.
  return until("the demo's post is not published", LIMIT_MS, async () => {
    const { code, out } = release.admin(['demo', '--api', API_URL]);
    if (code !== 0) throw new Error(`the command ended with ${code}: ${out}`);
    const { publish_results: results, ...tenant } = JSON.parse(out) as Report;
    return { tenant, platforms: results.length };
  });
}
