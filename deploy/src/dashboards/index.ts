import { api } from './api.ts';
import type { Dashboard } from './dashboard.ts';
import { kafka } from './kafka.ts';
import { mongodb } from './mongodb.ts';
import { overview } from './overview.ts';
import { publishing } from './publishing.ts';
import { webhooks } from './webhooks.ts';

export const dashboards: readonly Dashboard[] = [overview, publishing, api, kafka, mongodb, webhooks];

/** Every query, with where it is and what Grafana would fill in: an installation, and five minutes for rates. */
export function dashboardQueries(): { readonly where: string; readonly expr: string; readonly emptyWhenHealthy: boolean }[] {
  return dashboards.flatMap(({ name, rows }) =>
    rows.flatMap(({ panels }) =>
      panels.flatMap(({ title, queries }) =>
        queries.map(({ expr, legend, emptyWhenHealthy = false }) => ({
          where: [name, title, legend].filter(Boolean).join(' / '),
          emptyWhenHealthy,
          expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$namespace', 'fanfare'),
        })),
      ),
    ),
  );
}
