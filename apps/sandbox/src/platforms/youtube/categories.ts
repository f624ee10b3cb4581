import { json, type Reply } from '../../wire/reply.ts';
import { badParameter } from './errors.ts';
import { partsOf } from './parts.ts';
import type { YoutubeCall } from './youtube-operation.ts';

/** Categories that allow videos. */
const assignable: Readonly<Record<string, string>> = {
  1: 'Film & Animation',
  2: 'Autos & Vehicles',
  10: 'Music',
  15: 'Pets & Animals',
  17: 'Sports',
  19: 'Travel & Events',
  20: 'Gaming',
  22: 'People & Blogs',
  23: 'Comedy',
  24: 'Entertainment',
  25: 'News & Politics',
  26: 'Howto & Style',
  27: 'Education',
  28: 'Science & Technology',
  29: 'Nonprofits & Activism',
};

/** Some of the other categories that YouTube lists. */
const closed: Readonly<Record<string, string>> = { 18: 'Short Movies', 21: 'Videoblogging', 30: 'Movies', 43: 'Shows', 44: 'Trailers' };

export const isAssignable = (id: string): boolean => Object.hasOwn(assignable, id);

/** The categories of a country; most have one fewer than the United States. */
export function listCategories({ query }: YoutubeCall): Reply {
  partsOf(query, ['snippet']);
  const region = query.get('regionCode');
  if (region === null) throw badParameter('missingRequiredParameter', 'No filter selected. Expected one of: regionCode, id', 'parameters.');
  if (!/^[A-Z]{2}$/i.test(region)) throw badParameter('invalidRegionCode', 'The region code is invalid.', 'regionCode');
  const items = [...nodesOf(assignable, true), ...nodesOf(closed, false)].filter(({ id }) => id !== '29' || region.toUpperCase() === 'US');
  return json(200, { kind: 'youtube#videoCategoryListResponse', items });
}

function nodesOf(titles: Readonly<Record<string, string>>, isOpen: boolean) {
  return Object.entries(titles).map(([id, title]) => ({
    kind: 'youtube#videoCategory',
    id,
    snippet: { title, assignable: isOpen, channelId: 'UCBR8-60-B28hp2BmDPdntcQ' },
  }));
}
