import type { Dashboard } from './dashboard.ts';
import { highest, percentile, rate } from './promql.ts';

export const api: Dashboard = {
  name: 'api',
  title: 'API',
  rows: [
    {
      title: 'Requests',
      panels: [
        {
          title: 'By status',
          about: 'Without long polls and streams.',
          unit: 'reqps',
          queries: [{ expr: rate('fanfare_http_seconds_count', ['status']), legend: '{{status}}' }],
        },
        {
          title: 'Duration',
          about: 'Of all requests.',
          unit: 's',
          queries: [0.5, 0.95, 0.99].map((part) => ({ expr: percentile(part, 'fanfare_http_seconds'), legend: `p${part * 100}` })),
        },
        {
          title: 'Errors of ours',
          about: 'Share of requests with a 5xx. 1.44 % for an hour uses up the errors of a month in two days, and pages.',
          unit: 'percentunit',
          redFrom: 0.0144,
          queries: [
            {
              expr: `(${rate('fanfare_http_seconds_count', [], 'status=~"5.."')} or vector(0)) / ${rate('fanfare_http_seconds_count')}`,
              legend: '5xx',
            },
          ],
        },
        {
          title: 'Slowest operations, p99',
          about: 'The ten slowest.',
          unit: 's',
          queries: [{ expr: `topk(10, ${percentile(0.99, 'fanfare_http_seconds', ['method', 'route'])})`, legend: '{{method}} {{route}}' }],
        },
        {
          title: 'Operations with errors of ours',
          about: '',
          unit: 'reqps',
          queries: [
            {
              expr: `topk(10, ${rate('fanfare_http_seconds_count', ['method', 'route'], 'status=~"5.."')})`,
              legend: '{{method}} {{route}}',
              emptyWhenHealthy: true,
            },
          ],
        },
        {
          title: 'Waiting for events',
          about: 'Long polls and streams that ended.',
          unit: 'reqps',
          queries: [{ expr: rate('fanfare_http_waiting_seconds_count', ['route']), legend: '{{route}}' }],
        },
      ],
    },
    {
      title: 'Limits and repeats',
      panels: [
        {
          title: 'Rejected by rate limits',
          about: 'By window and owner of the limit.',
          unit: 'reqps',
          queries: [
            { expr: rate('fanfare_rate_limited_total', ['window', 'kind']), legend: '{{kind}} {{window}}', emptyWhenHealthy: true },
          ],
        },
        {
          title: 'Requests with an Idempotency-Key',
          about: 'By outcome.',
          unit: 'reqps',
          queries: [{ expr: rate('fanfare_idempotency_total', ['outcome']), legend: '{{outcome}}' }],
        },
        {
          title: 'Mail',
          about: 'Emails that wait, and failed attempts.',
          unit: 'short',
          queries: [
            { expr: highest('fanfare_mails_queued'), legend: 'waiting' },
            { expr: rate('fanfare_mail_failures_total', ['kind']), legend: 'failed: {{kind}}', emptyWhenHealthy: true },
          ],
        },
      ],
    },
    {
      title: 'Calls between services',
      panels: [
        {
          title: 'Calls handled',
          about: 'By service.',
          unit: 'reqps',
          queries: [{ expr: rate('fanfare_rpc_server_seconds_count', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Duration, p99',
          about: 'As the callee measures it.',
          unit: 's',
          queries: [{ expr: percentile(0.99, 'fanfare_rpc_server_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Calls that failed',
          about: 'As the caller sees it: UNAVAILABLE is a service that is not reached, DEADLINE_EXCEEDED one that hangs.',
          unit: 'reqps',
          queries: [
            {
              expr: rate(
                'fanfare_rpc_client_seconds_count',
                ['service', 'code'],
                'code=~"UNAVAILABLE|DEADLINE_EXCEEDED|INTERNAL|UNKNOWN|RESOURCE_EXHAUSTED"',
              ),
              legend: '{{service}} {{code}}',
              emptyWhenHealthy: true,
            },
          ],
        },
      ],
    },
  ],
};
