import type { Reads } from '../../../test/conversations/reads.ts';

const ok = { code: 'ok', message: '', log_id: '202611200000000000000000000000000' };
const video = {
  ...{ id: '71', create_time: 1_762_761_600, title: 'Bread', video_description: 'Fresh bread', duration: 12 },
  ...{ cover_image_url: 'https://p16.example/71.jpg', share_url: 'https://www.tiktok.com/@acme/video/71' },
  ...{ view_count: 100, like_count: 7, comment_count: 2, share_count: 1 },
};
/** Fields that TikTok does not know of a video are missing. */
const other = { id: '70', create_time: 1_762_675_200, video_description: 'Yesterday', view_count: 0 };

export const reads: Reads = {
  accountId: 'open-1',
  account: { start: '2026-11-01', end: '2026-11-02', period: 'lifetime', metrics: [] },
  posts: ['71', '70'],
  respond(path) {
    if (path.endsWith('/video/list/')) return { data: { videos: [video, other], cursor: 1_762_675_200_000, has_more: true }, error: ok };
    if (path.endsWith('/video/query/')) return { data: { videos: [video, other] }, error: ok };
    return { data: { user: { open_id: 'open-1', follower_count: 9, following_count: 1, likes_count: 30, video_count: 4 } }, error: ok };
  },
};
