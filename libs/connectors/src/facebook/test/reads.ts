import type { Reads } from '../../../test/conversations/reads.ts';

const insight = (name: string, ...values: readonly unknown[]) => ({
  name,
  period: 'day',
  values: values.map((value, index) => ({ value, end_time: `2026-11-0${index + 2}T08:00:00+0000` })),
});
const values: Readonly<Record<string, readonly unknown[]>> = {
  page_media_view: [120, 80, '95'],
  page_views_total: [12, 7],
  page_follows: [3, null, 5],
  page_total_media_view_unique: [61],
};
const lifetime = (name: string, value: unknown) => ({ name, period: 'lifetime', values: [{ value }] });
const counts = { comments: { summary: { total_count: 4 } }, reactions: { summary: { total_count: 31 } } };

const photo = {
  ...{ id: '100_7', message: 'Fresh bread', created_time: '2026-11-19T08:00:00+0000', status_type: 'added_photos', ...counts },
  permalink_url: 'https://www.facebook.com/100/posts/7',
  full_picture: 'https://scontent.example/7.jpg',
  attachments: { data: [{ media_type: 'photo', media: { image: { src: 'https://scontent.example/7.jpg' } } }] },
  shares: { count: 2 },
  insights: { data: [lifetime('post_media_view', 410), lifetime('post_total_media_view_unique', 300), lifetime('post_clicks', 9)] },
};
const reel = {
  ...{ id: '900', from: { id: '100' }, description: 'A reel', created_time: '2026-11-19T09:00:00+0000', length: 12.5, ...counts },
  ...{ permalink_url: '/reel/900/', picture: 'https://scontent.example/900.jpg', source: 'https://video.example/900.mp4' },
  video_insights: {
    data: [
      lifetime('blue_reels_play_count', 77),
      lifetime('post_video_avg_time_watched', 3_100),
      lifetime('post_video_view_time', 238_700),
    ],
  },
};

export const reads: Reads = {
  accountId: '100',
  account: { start: '2026-11-01', end: '2026-11-07', period: 'day', metrics: ['page_media_view', 'page_follows'] },
  posts: ['100_7', '900'],
  respond(path, { metric = '' }) {
    if (path.endsWith('/insights'))
      return { data: metric.split(',').flatMap((name) => (values[name] ? [insight(name, ...values[name])] : [])) };
    if (path.endsWith('/published_posts')) {
      return {
        data: [photo],
        paging: { cursors: { after: 'NEXT' }, next: 'https://graph.facebook.com/v25.0/100/published_posts?after=NEXT' },
      };
    }
    if (path.endsWith('/video_reels')) return { data: [{ ...reel, published: true }] };
    if (path.endsWith('/100_7')) return photo;
    return path.endsWith('/900') ? reel : { id: '100', name: 'Acme', followers_count: 1_200, fan_count: 1_150 };
  },
};
