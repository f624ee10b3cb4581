import type { Dashboard } from './dashboard.ts';
import { highest, of, percentile, rate } from './promql.ts';

export const kafka: Dashboard = {
  name: 'kafka',
  title: 'Kafka and events',
  rows: [
    {
      title: 'Sending',
      panels: [
        {
          title: 'Oldest event in the outbox',
          about: 'What Kafka has not acknowledged. Pages above 60 s.',
          unit: 's',
          redFrom: 60,
          queries: [{ expr: highest('fanfare_outbox_oldest_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Events in the outbox',
          about: 'Grows while Kafka is unavailable; nothing is lost.',
          unit: 'short',
          queries: [{ expr: highest('fanfare_outbox_waiting', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Events sent',
          about: 'By topic.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_outbox_relayed_total', ['topic']), legend: '{{topic}}' }],
        },
      ],
    },
    {
      title: 'Handling',
      panels: [
        {
          title: 'Oldest event that is not handled',
          about: "Measured from Kafka's offsets, by each replica for all. Pages above 120 s.",
          unit: 's',
          redFrom: 120,
          queries: [{ expr: highest('fanfare_events_oldest_unhandled_seconds', ['service']), legend: '{{service}}' }],
        },
        {
          title: 'Events handled',
          about: 'By outcome: duplicates are harmless; retry means that the database rejected them.',
          unit: 'ops',
          queries: [{ expr: rate('fanfare_events_handled_total', ['service', 'outcome']), legend: '{{service}} {{outcome}}' }],
        },
        {
          title: 'Delay, p99',
          about: 'From when an event was written until it was handled, by topic.',
          unit: 's',
          queries: [{ expr: percentile(0.99, 'fanfare_event_delay_seconds', ['topic']), legend: '{{topic}}' }],
        },
        {
          title: 'Consumers connected',
          about: 'Replicas that receive events.',
          unit: 'short',
          queries: [{ expr: `sum by (service) (${of('fanfare_kafka_consumer_connected')})`, legend: '{{service}}' }],
        },
        {
          title: 'Dead letters',
          about: 'Events that a service gave up. Each waits for an operator.',
          unit: 'short',
          redFrom: 1,
          queries: [
            {
              expr: `sum by (service, topic) (increase(${of('fanfare_dead_letters_total')}[1h]))`,
              legend: '{{service}} {{topic}}',
              emptyWhenHealthy: true,
            },
          ],
        },
      ],
    },
  ],
};
