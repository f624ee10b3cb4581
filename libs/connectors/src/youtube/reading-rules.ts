import type { Metric, ReadingRules } from '../reading/reading.ts';

const metrics: readonly Metric[] = [
  { name: 'views', description: 'How often videos of the channel were started.' },
  { name: 'engagedViews', description: 'Views that continued past the first seconds.' },
  { name: 'estimatedMinutesWatched', description: 'How long people watched videos of the channel.', unit: 'minutes' },
  { name: 'averageViewDuration', description: 'Average length of a view.', unit: 'seconds', hasNoTotal: true },
  { name: 'averageViewPercentage', description: 'Average share of a video that was watched.', unit: 'percent', hasNoTotal: true },
  { name: 'likes', description: 'Likes on videos of the channel.' },
  { name: 'comments', description: 'Comments on videos of the channel.' },
  { name: 'shares', description: 'How often videos were shared with the Share button.' },
  { name: 'subscribersGained', description: 'New subscribers.' },
  { name: 'subscribersLost', description: 'Lost subscribers.' },
];
const VIDEOS_PER_CALL = 50;

export const readingRules: ReadingRules = {
  metrics,
  rawMetrics: [{ name: 'viewCount', description: 'Views of all videos of the channel since it exists.' }],
  periods: ['day'],
  daysPerCall: 366,
  keptDays: 3_650,
  timeZone: 'America/Los_Angeles',
  settledDays: 3,
  postsPerCall: VIDEOS_PER_CALL,
  pageSize: VIDEOS_PER_CALL,
  audience: ['age', 'gender', 'country'],
  freshSeconds: 900,
};
