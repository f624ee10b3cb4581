import { percentile } from '../percentile.ts';
import { table } from './table.ts';

const P50_MS = 300;

export function publishTable(publishMs: readonly number[]): string {
  const [p50, p95] = [percentile(publishMs, 50), percentile(publishMs, 95)];
  return table([
    [`publish now → call to the platform, ${publishMs.length} posts`, '', 'target'],
    ['p50', `${p50} ms${p50 <= P50_MS ? '' : ' ✗'}`, `≤ ${P50_MS} ms`],
    ['p95', `${p95} ms`, ''],
  ]);
}
