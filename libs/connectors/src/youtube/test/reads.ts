import type { Reads } from '../../../test/conversations/reads.ts';

const rows = (names: readonly string[], ...values: readonly (readonly unknown[])[]) => ({
  kind: 'youtubeAnalytics#resultTable',
  columnHeaders: names.map((name) => ({ name })),
  rows: values,
});
const reports: Readonly<Record<string, object>> = {
  day: rows(['day', 'views', 'averageViewDuration'], ['2026-11-01', 10, 30], ['2026-11-02', 0, 0]),
  ageGroup: rows(['ageGroup', 'viewerPercentage'], ['age18-24', 75], ['age65-', 25]),
  gender: rows(['gender', 'viewerPercentage'], ['female', 60], ['user_specified', 40]),
  country: rows(['country', 'views'], ['DE', 3], ['FR', 1]),
  video: rows(['video', 'shares', 'averageViewDuration', 'estimatedMinutesWatched', 'averageViewPercentage'], ['a', 2, 31, 50, 130]),
};
const video = (id: string, statistics: object) => ({
  id,
  snippet: {
    ...{ channelId: 'UC1', title: `Film ${id}`, description: 'How to', publishedAt: '2026-11-10T08:00:00Z' },
    thumbnails: { high: { url: `https://i.example/${id}.jpg` } },
  },
  statistics,
  contentDetails: { duration: 'PT1M2S' },
});
/** The second one hides its comments, and the reports have not reached it yet. */
const videos = [video('a', { viewCount: '100', likeCount: '7', commentCount: '0' }), video('b', { viewCount: '5', likeCount: '1' })];

export const reads: Reads = {
  accountId: 'UC1',
  account: { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: ['views', 'averageViewDuration'] },
  posts: ['a', 'b'],
  respond(path, { dimensions = '' }) {
    if (path.endsWith('/channels')) {
      const statistics = { subscriberCount: '1200', videoCount: '8', viewCount: '99000', hiddenSubscriberCount: false };
      return { items: [{ id: 'UC1', statistics, contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] };
    }
    if (path.endsWith('/playlistItems')) {
      const items = videos.map(({ id }) => ({ contentDetails: { videoId: id } }));
      return { items, nextPageToken: 'more', pageInfo: { totalResults: 8, resultsPerPage: 2 } };
    }
    return path.endsWith('/videos') ? { items: videos } : reports[dimensions];
  },
};
