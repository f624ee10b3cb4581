import type { Dashboard } from './dashboard.ts';
import { highest, of, percentile, rate } from './promql.ts';

export const publishing: Dashboard = {
  name: 'publishing',
  title: 'Publishing',
  rows: [
    {
      title: 'On time',
      panels: [
        {
          title: 'Publish lag by platform',
          about: 'From when a post was due until it was on the platform; p50 and p99.',
          unit: 's',
          queries: [
            { expr: percentile(0.99, 'fanfare_publish_lag_seconds', ['platform']), legend: '{{platform}} p99' },
            { expr: percentile(0.5, 'fanfare_publish_lag_seconds', ['platform']), legend: '{{platform}} p50' },
          ],
        },
        {
          title: 'Claim lag',
          about: 'From when a scheduled post was due until it was claimed.',
          unit: 's',
          queries: [
            { expr: percentile(0.99, 'fanfare_due_lag_seconds'), legend: 'p99' },
            { expr: percentile(0.5, 'fanfare_due_lag_seconds'), legend: 'p50' },
          ],
        },
        {
          title: 'Oldest due post and delivery',
          about: 'Pages above 60 s and 120 s. Deliveries that wait on purpose (retry, quota, pause) are not due.',
          unit: 's',
          redFrom: 60,
          queries: [
            { expr: highest('fanfare_oldest_due_post_seconds'), legend: 'post' },
            { expr: highest('fanfare_oldest_due_delivery_seconds'), legend: 'delivery' },
          ],
        },
      ],
    },
    {
      title: 'Outcomes',
      panels: [
        {
          title: 'Published, by platform',
          about: 'Deliveries that ended with success.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_deliveries_ended_total', ['platform'], 'outcome="success"'), legend: '{{platform}}' }],
        },
        {
          title: 'Failed, by platform and reason',
          about: 'unknown_outcome: nobody knows whether the post is published, and a person decides.',
          unit: 'ops',
          queries: [
            {
              expr: rate('fanfare_deliveries_ended_total', ['platform', 'outcome'], 'outcome!="success"'),
              legend: '{{platform}} {{outcome}}',
              emptyWhenHealthy: true,
            },
          ],
        },
        {
          title: 'Success rate, by platform',
          about: 'Of the deliveries that ended.',
          unit: 'percentunit',
          queries: [
            {
              expr: `${rate('fanfare_deliveries_ended_total', ['platform'], 'outcome="success"')} / ${rate('fanfare_deliveries_ended_total', ['platform'])}`,
              legend: '{{platform}}',
            },
          ],
        },
        {
          title: 'Ambiguous commits',
          about: 'Lost responses, by what reconciling found. Many of them: the network to the platform, or the platform, is unwell.',
          unit: 'ops',
          queries: [
            {
              expr: rate('fanfare_ambiguous_commits_total', ['platform', 'finding']),
              legend: '{{platform}} {{finding}}',
              emptyWhenHealthy: true,
            },
          ],
        },
        {
          title: 'Misfires',
          about: 'Posts that were claimed too late, by what became of them.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_misfires_total', ['outcome']), legend: '{{outcome}}', emptyWhenHealthy: true }],
        },
        {
          title: 'Removals',
          about: 'Published posts that were taken off their platforms.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_removals_ended_total', ['platform', 'outcome']), legend: '{{platform}} {{outcome}}' }],
        },
      ],
    },
    {
      title: 'Work',
      panels: [
        {
          title: 'Deliveries',
          about: 'Open ones include those that wait for a retry, a quota or an operator. Publishers scale by those that are due.',
          unit: 'short',
          queries: [
            { expr: highest('fanfare_deliveries_open'), legend: 'open' },
            { expr: highest('fanfare_deliveries_due'), legend: 'due or in progress' },
            { expr: `sum(${of('fanfare_deliveries_in_flight')})`, legend: 'in progress' },
          ],
        },
        {
          title: 'Steps, p99',
          about: 'Duration of the calls to the platforms.',
          unit: 's',
          queries: [{ expr: percentile(0.99, 'fanfare_delivery_step_seconds', ['platform', 'step']), legend: '{{platform}} {{step}}' }],
        },
        {
          title: 'Slots of platforms',
          about: 'The most concurrent deliveries to a platform in one process: fewer while it fails or hangs.',
          unit: 'short',
          queries: [{ expr: `min by (platform) (${of('fanfare_platform_slots')})`, legend: '{{platform}}' }],
        },
      ],
    },
    {
      title: 'Platforms',
      panels: [
        {
          title: 'Circuit breakers',
          about: '1 while a platform does not respond.',
          unit: 'short',
          redFrom: 1,
          queries: [{ expr: highest('fanfare_platform_breaker_open', ['platform']), legend: '{{platform}}', emptyWhenHealthy: true }],
        },
        {
          title: 'Waits for a quota',
          about: "How often a delivery had to wait for a platform's quota.",
          unit: 'ops',
          queries: [
            {
              expr: rate('fanfare_platform_quota_waits_total', ['platform', 'quota']),
              legend: '{{platform}} {{quota}}',
              emptyWhenHealthy: true,
            },
          ],
        },
        {
          title: 'Token refreshes',
          about: 'token_expired: an owner has to connect the account again. Pages at 20 accounts of a platform in 30 minutes.',
          unit: 'ops',
          queries: [
            {
              expr: rate('fanfare_token_refreshes_total', ['platform', 'outcome']),
              legend: '{{platform}} {{outcome}}',
              emptyWhenHealthy: true,
            },
          ],
        },
      ],
    },
  ],
};
