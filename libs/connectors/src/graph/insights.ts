import type { Call } from '../connector.ts';
import { at, listAt, stringAt } from '../calls/fields.ts';
import type { PlatformRequest } from '../calls/http.ts';
import { type MetricsRead, namedIn, readMetrics, type Suspects } from '../reading/read-metrics.ts';
import { requiredList } from '../reading/required.ts';
import { countAt } from '../reading/statistics.ts';
import { graphCall } from './graph-call.ts';

/** One metric of a response of `/{id}/insights`. */
export interface Insight {
  /** Oldest first. Null if the platform returns no value. */
  readonly values: readonly { readonly endTime: Date | null; readonly value: number | null }[];
  /** As it came, for breakdowns. */
  readonly raw: unknown;
}

/** Reads metrics of an account or a post; those that Meta has withdrawn are `rejected`, the others are read all the same. */
export function readInsights(
  call: Call,
  path: string,
  names: readonly string[],
  query: NonNullable<PlatformRequest['query']>,
): Promise<MetricsRead<Insight>> {
  const read = async (some: readonly string[]) => {
    const response = await graphCall(call, { method: 'GET', path: `${path}/insights`, query: { ...query, metric: some.join(',') } });
    requiredList(response, 'data');
    return insightsIn(response);
  };
  return readMetrics(names, read, suspectMetrics);
}

/** The metrics in a list of insights, by name. */
export function insightsIn(list: unknown): ReadonlyMap<string, Insight> {
  return new Map(
    listAt(list, 'data').flatMap((one) => {
      const name = stringAt(one, 'name');
      return name === undefined ? [] : [[name, { values: valuesOf(one), raw: one }] as const];
    }),
  );
}

function valuesOf(insight: unknown): Insight['values'] {
  const total = at(insight, 'total_value');
  if (total !== undefined) return [{ endTime: null, value: countAt(total, 'value') }];
  return listAt(insight, 'values').map((one) => {
    const endTime = new Date(stringAt(one, 'end_time') ?? NaN);
    return { endTime: Number.isNaN(endTime.getTime()) ? null : endTime, value: countAt(one, 'value') };
  });
}

/** Media that was published before the account became a professional one has no insights at all. */
export const BEFORE_BUSINESS = 2_108_006;

const INVALID_PARAMETER = 100;

/**
 * "(#100) metric[2] must be one of the following values: …", where the position is that of the metric in our list, or "(#100) The value must be a
 * valid insights metric". Other errors, also with this code, are not about metrics.
 */
export const suspectMetrics: Suspects = ({ message, detail }, names) => {
  if (detail['code'] !== INVALID_PARAMETER || detail['subcode'] === BEFORE_BUSINESS) return [];
  const text = stringAt(detail, 'text') ?? message;
  const [, index] = /metric\[(\d+)\]/.exec(text) ?? [];
  if (index !== undefined) return names.slice(Number(index), Number(index) + 1);
  return /valid insights metric/i.test(text) ? names : namedIn(text, names);
};
