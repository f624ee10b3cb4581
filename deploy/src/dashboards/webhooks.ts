import type { Dashboard } from './dashboard.ts';
import { highest, percentile, rate } from './promql.ts';

export const webhooks: Dashboard = {
  name: 'webhooks',
  title: 'Webhooks',
  rows: [
    {
      title: 'Webhooks',
      panels: [
        {
          title: 'Due',
          about: 'Webhooks whose next attempt is due. A ticket above 5,000.',
          unit: 'short',
          redFrom: 5_000,
          queries: [{ expr: highest('fanfare_webhook_deliveries_due'), legend: 'due' }],
        },
        {
          title: 'Delay',
          about: 'From when an event was stored until the endpoint accepted it. Endpoints that fail make p99 long without a fault of ours.',
          unit: 's',
          queries: [0.5, 0.99].map((part) => ({ expr: percentile(part, 'fanfare_webhook_delay_seconds'), legend: `p${part * 100}` })),
        },
        {
          title: 'Attempts',
          about: 'By outcome.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_webhook_attempts_total', ['outcome']), legend: '{{outcome}}' }],
        },
        {
          title: 'Endpoints disabled',
          about: 'After five days of failures, or after a response of 410 Gone. Their owners get an email.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_webhook_endpoints_disabled_total', ['reason']), legend: '{{reason}}', emptyWhenHealthy: true }],
        },
        {
          title: 'Events of other services that are not in the feed yet',
          about: 'Pages above 120 s.',
          unit: 's',
          redFrom: 120,
          queries: [{ expr: highest('fanfare_events_oldest_unhandled_seconds', ['service'], 'service="webhooks"'), legend: 'oldest' }],
        },
        {
          title: 'Readers that wait for events',
          about: 'Long polls and streams of the feed that ended.',
          unit: 'reqps',
          queries: [{ expr: rate('fanfare_http_waiting_seconds_count', ['route']), legend: '{{route}}' }],
        },
      ],
    },
  ],
};
