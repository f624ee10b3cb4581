import type { PostStatistics } from '@fanfare/connectors';

/** Likes, comments, shares and saves. Those that the platform does not count add nothing; null if it counts none of them. */
export function engagementsOf({ likes, commentCount, shares, saves }: PostStatistics): number | null {
  const known = [likes, commentCount, shares, saves].filter((part) => part !== null);
  return known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
}

/** How often the post was seen: impressions, or views if its impressions are unknown, as on platforms that count only views. */
const seenOf = ({ impressions, views }: PostStatistics): number | null => impressions ?? views;

/** Engagements divided by how often the post was seen; null if either is unknown or it was never seen. */
export function rateOf(statistics: PostStatistics): number | null {
  const [engagements, seen] = [engagementsOf(statistics), seenOf(statistics)];
  return engagements === null || seen === null || seen === 0 ? null : engagements / seen;
}
