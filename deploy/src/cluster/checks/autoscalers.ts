import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@fanfare/infra';
import type { Release } from '../release.ts';

const LIMIT_MS = 600_000;
const LOOK_MS = 2_000;

interface Autoscaler {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly metrics: readonly { readonly type: string }[] };
  readonly status: {
    readonly currentMetrics?: readonly { readonly resource?: { readonly current: { readonly averageValue?: string } } }[];
  };
}

/** Whether the chart's autoscalers by CPU know how much CPU their pods use. @returns how much, by name */
export async function checkAutoscalers({ kubectl }: Release): Promise<string> {
  return until('autoscalers do not know what their pods use', LIMIT_MS, async () => {
    await wait(LOOK_MS);
    const { items } = JSON.parse(kubectl(['get', 'horizontalpodautoscalers', '-o', 'json'])) as { items: Autoscaler[] };
    // KEDA's scale by what waits.
    const byUse = items.filter(({ spec: { metrics } }) => metrics.some(({ type }) => type === 'Resource'));
    const used = byUse.map(({ metadata: { name }, status }) => ({
      name,
      cpu: status.currentMetrics?.[0]?.resource?.current.averageValue,
    }));
    const unknown = used.filter(({ cpu }) => cpu === undefined);
    if (byUse.length === 0 || unknown.length > 0) throw new Error(unknown.map(({ name }) => name).join(', '));
    return used.map(({ name, cpu }) => `${name} ${cpu}`).join(', ');
  });
}
