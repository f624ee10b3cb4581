import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'IMPRESSION', description: 'How often pins of the account were shown on a screen.' },
  { name: 'ENGAGEMENT', description: 'Clicks on pins, outbound clicks, saves and swipes.' },
  { name: 'PIN_CLICK', description: 'Clicks that opened a pin.' },
  { name: 'OUTBOUND_CLICK', description: "Clicks that opened a pin's link." },
  { name: 'SAVE', description: 'How often pins were saved to a board.' },
];
export const DAYS = 90;

export const readingRules: ReadingRules = {
  metrics,
  rawMetrics: [
    {
      name: 'monthly_views',
      description: 'Views of pins of the account in the last 30 days. The requested range of days does not change it.',
    },
  ],
  periods: ['day'],
  daysPerCall: DAYS,
  keptDays: DAYS,
  timeZone: 'UTC',
  settledDays: 2,
  postsPerCall: 10,
  pageSize: 100,
  audience: ['age', 'gender'],
  freshSeconds: 900,
};
