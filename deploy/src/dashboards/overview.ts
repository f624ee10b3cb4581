import type { Dashboard } from './dashboard.ts';
import { highest, of, percentile, rate } from './promql.ts';

export const overview: Dashboard = {
  name: 'overview',
  title: 'Overview',
  rows: [
    {
      title: 'What callers feel',
      panels: [
        {
          title: 'Requests without a server error',
          about: 'The objective is 99.9 % in 30 days. Rejections (4xx) are not errors of ours.',
          unit: 'percentunit',
          isNumber: true,
          queries: [
            {
              expr: `1 - (${rate('fanfare_http_seconds_count', [], 'status=~"5.."')} or vector(0)) / ${rate('fanfare_http_seconds_count')}`,
              legend: '',
            },
          ],
        },
        {
          title: 'Oldest due post',
          about: 'How long it has been waiting to be claimed. Pages above 60 s.',
          unit: 's',
          isNumber: true,
          redFrom: 60,
          queries: [{ expr: highest('fanfare_oldest_due_post_seconds'), legend: '' }],
        },
        {
          title: 'Oldest due delivery',
          about: 'How long it has been waiting for a publisher. Pages above 120 s.',
          unit: 's',
          isNumber: true,
          redFrom: 120,
          queries: [{ expr: highest('fanfare_oldest_due_delivery_seconds'), legend: '' }],
        },
        {
          title: 'Publish lag, p99',
          about: 'From when a post was due until it was on the platform.',
          unit: 's',
          isNumber: true,
          queries: [{ expr: percentile(0.99, 'fanfare_publish_lag_seconds'), legend: '' }],
        },
        {
          title: 'Canary',
          about: "Time since a post of the canary's was published; empty without a canary. Pages above 300 s.",
          unit: 's',
          isNumber: true,
          redFrom: 300,
          queries: [{ expr: highest('fanfare_canary_age_seconds'), legend: '' }],
        },
        {
          title: 'Oldest event that Kafka does not have',
          about: 'Pages above 60 s.',
          unit: 's',
          isNumber: true,
          redFrom: 60,
          queries: [{ expr: highest('fanfare_outbox_oldest_seconds'), legend: '' }],
        },
      ],
    },
    {
      title: 'Traffic',
      panels: [
        {
          title: 'Requests',
          about: 'By class of status.',
          unit: 'reqps',
          queries: [
            { expr: rate('fanfare_http_seconds_count', [], 'status=~"2..|3.."'), legend: 'succeeded' },
            { expr: rate('fanfare_http_seconds_count', [], 'status=~"4.."'), legend: 'rejected' },
            { expr: rate('fanfare_http_seconds_count', [], 'status=~"5.."'), legend: 'server error', emptyWhenHealthy: true },
          ],
        },
        {
          title: 'Posts',
          about: 'Created, claimed for publishing, and deliveries that ended.',
          unit: 'ops',
          queries: [
            { expr: rate('fanfare_posts_created_total'), legend: 'created' },
            { expr: rate('fanfare_publications_claimed_total'), legend: 'claimed' },
            { expr: rate('fanfare_deliveries_ended_total'), legend: 'deliveries ended' },
          ],
        },
        {
          title: 'Background work',
          about: 'What the services scale by.',
          unit: 'short',
          queries: [
            { expr: highest('fanfare_deliveries_due'), legend: 'deliveries due' },
            { expr: highest('fanfare_webhook_deliveries_due'), legend: 'webhooks due' },
            { expr: highest('fanfare_analytics_snapshots_due'), legend: 'snapshots due' },
            { expr: highest('fanfare_generation_jobs_open'), legend: 'jobs open' },
          ],
        },
      ],
    },
    {
      title: 'Processes',
      panels: [
        {
          title: 'Replicas',
          about: 'Processes that report metrics.',
          unit: 'short',
          queries: [{ expr: `count by (service) (${of('process_start_time_seconds')})`, legend: '{{service}}' }],
        },
        {
          title: 'CPU',
          about: 'Cores of the busiest replica. A process serves its calls on one core.',
          unit: 'short',
          redFrom: 0.9,
          queries: [{ expr: `max by (service) (rate(${of('process_cpu_seconds_total')}[$__rate_interval]))`, legend: '{{service}}' }],
        },
        {
          title: 'Memory',
          about: 'Resident memory of the largest replica.',
          unit: 'bytes',
          queries: [{ expr: highest('process_resident_memory_bytes', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Event loop delay, p99',
          about: 'While it is high, calls wait for other work of the process.',
          unit: 's',
          queries: [{ expr: highest('nodejs_eventloop_lag_p99_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Circuit breakers',
          about: '1 while calls to a service are rejected at once, because it does not respond.',
          unit: 'short',
          redFrom: 1,
          queries: [{ expr: highest('fanfare_breaker_open', ['service', 'target']), legend: '{{service}} to {{target}}' }],
        },
        {
          title: 'Failures of background loops',
          about: 'Single ones are retried at once. A rate that stays is a dependency that is unavailable, or a defect: the log names it.',
          unit: 'ops',
          queries: [
            { expr: rate('fanfare_loop_failures_total', ['service', 'loop']), legend: '{{service}} {{loop}}', emptyWhenHealthy: true },
          ],
        },
      ],
    },
  ],
};
