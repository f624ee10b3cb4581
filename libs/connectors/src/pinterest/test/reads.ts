import type { Reads } from '../../../test/conversations/reads.ts';

const day = (date: string, data_status: string, IMPRESSION: number) => ({
  ...{ date, data_status },
  metrics: { IMPRESSION, SAVE: 2, OUTBOUND_CLICK: 1, ENGAGEMENT: 5 },
});
const pin = {
  ...{ id: '77', created_at: '2026-11-10T08:00:00', title: 'Bread', description: 'Fresh', alt_text: 'A loaf', creative_type: 'REGULAR' },
  ...{ board_id: '5', is_owner: true },
  media: { media_type: 'image', images: { '150x150': { url: 'https://i.example/s.jpg' }, '1200x': { url: 'https://i.example/l.jpg' } } },
  pin_metrics: {
    '90d': { impression: 40, save: 3 },
    lifetime_metrics: { impression: 50, save: 4, pin_click: 3, clickthrough: 2, reaction: 6, comment: 1 },
  },
};
const video = {
  ...{ ...pin, id: '76', title: 'Film', creative_type: 'VIDEO', media: { media_type: 'video', images: {} } },
  pin_metrics: { lifetime_metrics: { impression: 90 } },
};

const insights = {
  ...{ type: 'YOUR_TOTAL_AUDIENCE', date: '2026-11-19', size: 4_000, size_is_upper_bound: false, categories: [] },
  demographics: {
    ages: [
      { key: '18-24', name: '18-24', ratio: 0.25 },
      { key: '25-34', name: '25-34', ratio: 0.75 },
    ],
    genders: [
      { key: 'female', name: 'Female', ratio: 0.7 },
      { key: 'male', name: 'Male', ratio: 0.2 },
      { key: 'unspecified', name: 'Unspecified', ratio: 0.1 },
    ],
    countries: [{ key: 'de', name: 'Germany', ratio: 1 }],
  },
};

const summary = {
  ...{ SAVE: 3, VIDEO_MRC_VIEW: 20, VIDEO_START: 25, QUARTILE_95_PERCENT_VIEW: 5, VIDEO_V50_WATCH_TIME: 70_000 },
  VIDEO_AVG_WATCH_TIME: 3_500.5,
};

export const reads: Reads = {
  accountId: '5',
  account: { start: '2026-11-01', end: '2026-11-03', period: 'day', metrics: ['IMPRESSION', 'SAVE'] },
  posts: ['77', '76'],
  respond(path) {
    if (path.endsWith('/76/analytics') || path.endsWith('/77/analytics')) return { all: { summary_metrics: summary } };
    if (path.endsWith('/analytics')) {
      return {
        all: { daily_metrics: [day('2026-11-01', 'READY', 10), day('2026-11-02', 'READY', 0), day('2026-11-03', 'PROCESSING', 0)] },
      };
    }
    if (path.endsWith('/ad_accounts')) return { items: [{ id: '5497', name: 'Acme' }], bookmark: null };
    if (path.endsWith('/audience_insights')) return insights;
    if (path.endsWith('/pins')) return { items: [pin, video], bookmark: 'more' };
    if (path.endsWith('/77')) return pin;
    if (path.endsWith('/76')) return video;
    return { account_type: 'BUSINESS', username: 'acme', follower_count: 5, following_count: 1, pin_count: 12, monthly_views: 900 };
  },
};
