/** Selects the installation, and more. */
export const of = (metric: string, more = ''): string => `${metric}{namespace="$namespace"${more && `, ${more}`}}`;

/** The rate of a counter by labels. */
export const rate = (metric: string, by: readonly string[] = [], more = ''): string =>
  `sum by (${by.join(', ')}) (rate(${of(metric, more)}[$__rate_interval]))`;

/** A percentile of a histogram. */
export const percentile = (part: number, metric: string, by: readonly string[] = [], more = ''): string =>
  `histogram_quantile(${part}, ${rate(`${metric}_bucket`, ['le', ...by], more)})`;

/** Of a gauge that each replica reports of the work of all: the highest value. */
export const highest = (metric: string, by: readonly string[] = [], more = ''): string => `max by (${by.join(', ')}) (${of(metric, more)})`;
