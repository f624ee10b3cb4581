import type { Reads } from '../../../test/conversations/reads.ts';

const post = {
  ...{ id: '9', author_id: '42', text: 'Fresh', created_at: '2026-11-19T08:00:00.000Z', attachments: { media_keys: ['7_1'] } },
  public_metrics: { like_count: 3, reply_count: 1, retweet_count: 2, quote_count: 1, bookmark_count: 4, impression_count: 100 },
  non_public_metrics: { url_link_clicks: 6 },
};
const video = {
  ...{ media_key: '7_1', type: 'video', duration_ms: 9_000, preview_image_url: 'https://pbs.example/9.jpg', alt_text: 'A loaf' },
  public_metrics: { view_count: 80 },
  non_public_metrics: { playback_0_count: 50, playback_100_count: 20 },
  organic_metrics: { view_count: 70 },
};
const plain = { id: '8', author_id: '42', text: 'Plain', created_at: '2026-11-18T08:00:00.000Z', public_metrics: { like_count: 1 } };

const watched = { timestamp: '2026-11-20T11:59:50.000Z', metrics: { video_views: 80, watch_time_ms: 400_000 } };

export const reads: Reads = {
  accountId: '42',
  account: { start: '2026-11-01', end: '2026-11-02', period: 'lifetime', metrics: [] },
  posts: ['9', '8'],
  respond(path) {
    const data = [post, plain];
    const includes = { media: [video] };
    if (path.endsWith('/users/42/tweets')) return { data, includes, meta: { result_count: 2, next_token: 'more' } };
    if (path.endsWith('/tweets')) return { data, includes };
    if (path.endsWith('/media/analytics')) return { data: [{ media_key: video.media_key, timestamped_metrics: [watched] }] };
    const counters = { followers_count: 10, following_count: 2, tweet_count: 7, listed_count: 1, like_count: 5, media_count: 3 };
    return { data: { id: '42', name: 'Acme', username: 'acme', public_metrics: counters } };
  },
};
