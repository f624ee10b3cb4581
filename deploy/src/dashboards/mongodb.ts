import type { Dashboard } from './dashboard.ts';
import { of, percentile, rate } from './promql.ts';

/** MongoDB as the services see it. What its servers do inside, their own exporter or the provider's page shows. */
export const mongodb: Dashboard = {
  name: 'mongodb',
  title: 'MongoDB',
  rows: [
    {
      title: 'As the services see it',
      panels: [
        {
          title: 'Processes without a primary',
          about: 'They take no calls until there is one.',
          unit: 'short',
          redFrom: 1,
          queries: [
            { expr: `count by (service) (${of('fanfare_mongodb_available')} == 0)`, legend: '{{service}}', emptyWhenHealthy: true },
          ],
        },
        {
          title: 'Round trip to the primary, p99',
          about: 'Of a ping every ten seconds, which costs the server nothing: the network, and the queue of the server.',
          unit: 's',
          queries: [{ expr: percentile(0.99, 'fanfare_mongodb_round_trip_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Wait for a connection, p99',
          about: 'While all connections of a process are in use, its operations wait: MongoDB is slow, or the replicas are too few.',
          unit: 's',
          redFrom: 1,
          queries: [{ expr: percentile(0.99, 'fanfare_mongodb_checkout_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Connections in use',
          about: 'Of the busiest replica. A process has at most 32.',
          unit: 'short',
          redFrom: 32,
          queries: [{ expr: `max by (service) (${of('fanfare_mongodb_connections_in_use')})`, legend: '{{service}}' }],
        },
        {
          title: 'Operations',
          about: 'Connections taken, by service: about one for each operation or transaction.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_mongodb_checkout_seconds_count', ['service']), legend: '{{service}}' }],
        },
        {
          title: "Clocks of machines against the database's",
          about: 'Decisions are made by the time of the database, so a wrong clock does no harm; but set up time synchronization.',
          unit: 's',
          redFrom: 5,
          queries: [{ expr: `max by (service) (abs(${of('fanfare_clock_skew_seconds')}))`, legend: '{{service}}' }],
        },
      ],
    },
    {
      title: 'Leased work',
      panels: [
        {
          title: 'Rows by outcome',
          about: 'Background work is rows that a process leases. lost and interrupted: its process died or hung.',
          unit: 'ops',
          queries: [
            {
              expr: rate('fanfare_leased_work_total', ['work', 'outcome'], 'outcome!="done"'),
              legend: '{{work}} {{outcome}}',
              emptyWhenHealthy: true,
            },
          ],
        },
        {
          title: 'Rows done',
          about: 'By kind of work.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_leased_work_total', ['work'], 'outcome="done"'), legend: '{{work}}' }],
        },
      ],
    },
  ],
};
