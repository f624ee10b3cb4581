import type { Measured } from '../bench.ts';
import { percentile } from '../percentile.ts';
import { judge } from './judge.ts';

/** All results, with the verdicts. */
export function toJson({
  idleMb,
  publishMs,
  throughput,
  loadMb,
  deepPages,
  soak,
  deliveries,
  statistics,
  generation,
  webhooks,
  library,
  queues,
}: Measured): object {
  return {
    ...(idleMb && { memory_mb: idleMb, memory_whole_mb: Object.values(idleMb).reduce((sum, mb) => sum + mb, 0) }),
    ...(publishMs && {
      publish_to_platform_ms: { n: publishMs.length, p50: percentile(publishMs, 50), p95: percentile(publishMs, 95) },
    }),
    ...(throughput && { throughput: throughput.map((row) => ({ ...row, verdicts: judge(row) })) }),
    ...(loadMb && { memory_under_load_mb: loadMb }),
    ...(deepPages && { deep_pages: deepPages }),
    ...(soak && { soak }),
    ...(deliveries && { deliveries }),
    ...(statistics && { statistics }),
    ...(generation && { generation }),
    ...(webhooks && { webhooks }),
    ...(library && { library }),
    ...(queues && { queues }),
  };
}
