import type { Reads } from '../../../test/conversations/reads.ts';

const DAY_MS = 86_400_000;
const PAGE = 'urn:li:organization:55';
const day = (date: string, what: object) => ({ timeRange: { start: Date.parse(date), end: Date.parse(date) + DAY_MS }, ...what });
const shares = (impressionCount: number) => ({
  totalShareStatistics: {
    ...{ impressionCount, uniqueImpressionsCount: impressionCount - 20, clickCount: 4, likeCount: 9, commentCount: 2, shareCount: 1 },
    engagement: 0.05,
  },
});
const facet = (name: string, id: number, organicFollowerCount: number) => ({
  [name]: `urn:li:${name}:${id}`,
  followerCounts: { organicFollowerCount, paidFollowerCount: 0 },
});
const followers = {
  followerCountsByIndustry: [facet('industry', 34, 60), facet('industry', 4, 20)],
  followerCountsBySeniority: [facet('seniority', 4, 75), facet('seniority', 5, 25)],
  followerCountsByFunction: [facet('function', 12, 10)],
  followerCountsByGeoCountry: [facet('geo', 101282230, 80), facet('geo', 103644278, 20), facet('geo', 99, 100)],
};
const names = (entries: Readonly<Record<string, string>>) => ({
  results: Object.fromEntries(Object.entries(entries).map(([id, en_US]) => [id, { name: { localized: { en_US } } }])),
});
const post = (id: string, content: object) => ({
  ...{ id, author: PAGE, commentary: 'Fresh \\(bread\\)', lifecycleState: 'PUBLISHED', ...content },
  publishedAt: Date.parse('2026-11-10T08:00:00Z'),
});
const card = { title: 'Our bakery', source: 'https://acme.example', thumbnail: 'urn:li:image:4' };
const share = post('urn:li:share:1', { content: { article: card } });
const media = (id: string, more: object = {}) => ({
  results: { [id]: { id, owner: PAGE, status: 'AVAILABLE', downloadUrl: `https://media.example/${id.split(':').at(-1)}?e=1`, ...more } },
});
const video = post('urn:li:ugcPost:2', { content: { media: { id: 'urn:li:video:3', title: 'A film' } } });
const watched: Readonly<Record<string, number>> = { VIDEO_VIEW: 40, TIME_WATCHED: 200_000, TIME_WATCHED_FOR_VIDEO_VIEWS: 180_000 };

export const reads: Reads = {
  accountId: PAGE,
  account: { start: '2026-11-01', end: '2026-11-02', period: 'day', metrics: ['impressionCount', 'engagement', 'organicFollowerGain'] },
  posts: [share.id, video.id],
  respond(path, query) {
    const last = path.split('/').at(-1) ?? '';
    const isDaily = query['timeIntervals']?.includes('DAY') === true;
    switch (last) {
      case 'organizationalEntityShareStatistics':
        if (query['shares'] !== undefined) return { elements: [{ share: share.id, ...shares(120) }] };
        if (query['ugcPosts'] !== undefined) return { elements: [{ ugcPost: video.id, ...shares(300) }] };
        return { elements: isDaily ? [day('2026-11-01', shares(100)), day('2026-11-02', shares(50))] : [shares(140)] };
      case 'organizationalEntityFollowerStatistics':
        return { elements: [isDaily ? day('2026-11-01', { followerGains: { organicFollowerGain: 3, paidFollowerGain: 0 } }) : followers] };
      case 'organizationPageStatistics':
        return {
          elements: [
            day('2026-11-01', {
              totalPageStatistics: {
                views: { allPageViews: { pageViews: 17 } },
                clicks: {
                  mobileCustomButtonClickCounts: [{ customButtonType: 'VISIT_WEBSITE', clicks: 2 }],
                  desktopCustomButtonClickCounts: [{ customButtonType: 'VISIT_WEBSITE', clicks: 3 }],
                },
              },
            }),
          ],
        };
      case 'industries':
        return names({ 34: 'Food and Beverages', 4: 'Software' });
      case 'seniorities':
        return names({ 4: 'Senior', 5: 'Manager' });
      case 'functions':
        return names({ 12: 'Operations' });
      case 'geo': {
        const place = (value: string) => ({ defaultLocalizedName: { locale: { language: 'en', country: 'US' }, value } });
        return { results: { 101282230: place('Germany'), 103644278: place('United States'), 99: place('Atlantis') } };
      }
      case 'videoAnalytics':
        return { elements: [{ entity: video.id, statisticsType: query['type'], value: watched[query['type'] ?? ''] }] };
      case 'images':
        return media(card.thumbnail);
      case 'videos':
        return media('urn:li:video:3', { thumbnail: 'https://media.example/3.jpg?e=1' });
      case 'posts':
        return { elements: [share, video], paging: { start: 0, count: 2, total: 12 } };
      default:
        if (path.includes('/networkSizes/')) return { firstDegreeSize: 321 };
        return last === encodeURIComponent(video.id) ? video : share;
    }
  },
};
