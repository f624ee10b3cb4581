import type { Reads } from '../../../test/conversations/reads.ts';

const totals: Readonly<Record<string, number>> = { reach: 310, views: 900, likes: 41, profile_views: 12, website_clicks: 3 };
const groups: Readonly<Record<string, readonly (readonly [string, number])[]>> = {
  age: [
    ['18-24', 60],
    ['25-34', 40],
  ],
  gender: [
    ['F', 70],
    ['M', 20],
    ['U', 10],
  ],
  country: [['DE', 100]],
  city: [['Berlin, Berlin', 100]],
};
const demographics = (breakdown: string) => ({
  name: 'follower_demographics',
  period: 'lifetime',
  total_value: {
    breakdowns: [
      { dimension_keys: [breakdown], results: groups[breakdown]?.map(([name, value]) => ({ dimension_values: [name], value })) },
    ],
  },
});
const days = (name: string) => ({
  name,
  period: 'day',
  values: [110, 0, 200].map((value, index) => ({ value, end_time: `2026-11-0${index + 2}T08:00:00+0000` })),
});

const reel = {
  ...{ id: '1', caption: 'A reel', media_type: 'VIDEO', media_product_type: 'REELS', timestamp: '2026-11-10T08:00:00+0000' },
  ...{ media_url: 'https://cdn.example/1.mp4', thumbnail_url: 'https://cdn.example/1.jpg', permalink: 'https://www.instagram.com/reel/1/' },
  ...{ like_count: 31, comments_count: 4, owner: { id: '17841' } },
};
const album = {
  ...{ id: '2', caption: 'An album', media_type: 'CAROUSEL_ALBUM', media_product_type: 'FEED', timestamp: '2026-11-09T08:00:00+0000' },
  ...{ permalink: 'https://www.instagram.com/p/2/', like_count: 8, owner: { id: '17841' } },
  children: { data: [{ media_url: 'https://cdn.example/2a.jpg' }, { media_url: 'https://cdn.example/2b.jpg' }] },
};
const story = {
  ...{ id: '3', media_type: 'IMAGE', media_product_type: 'STORY', timestamp: '2026-11-09T20:00:00+0000', owner: { id: '17841' } },
  ...{ media_url: 'https://cdn.example/3.jpg', permalink: 'https://www.instagram.com/stories/acme/3', like_count: 0, comments_count: 0 },
};
const ofMedia: Readonly<Record<string, number>> = {
  ...{ views: 500, reach: 420, saved: 7, shares: 2, ig_reels_avg_watch_time: 3_400, ig_reels_video_view_total_time: 1_700_000 },
};

export const reads: Reads = {
  accountId: '17841',
  account: { start: '2026-11-01', end: '2026-11-03', period: 'day', metrics: ['reach', 'views', 'likes'] },
  posts: ['1', '2'],
  respond(path, { metric = '', metric_type: type, breakdown }) {
    const names = metric.split(',');
    if (breakdown !== undefined) return { data: [demographics(breakdown)] };
    if (type === 'time_series') return { data: names.map(days) };
    if (type === 'total_value') return { data: names.map((name) => ({ name, period: 'day', total_value: { value: totals[name] } })) };
    if (path.endsWith('/insights'))
      return { data: names.map((name) => ({ name, period: 'lifetime', values: [{ value: ofMedia[name] }] })) };
    if (path.endsWith('/media')) return { data: [reel, album] };
    if (path.endsWith('/stories')) return { data: [story] };
    if (path.endsWith('/1')) return reel;
    return path.endsWith('/2') ? album : { id: '17841', followers_count: 250, follows_count: 12, media_count: 34 };
  },
};
