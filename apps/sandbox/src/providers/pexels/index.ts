import type { Operation, Simulated } from '../../platforms/platform.ts';
import type { Call } from '../../wire/call.ts';
import { file, json, type Reply } from '../../wire/reply.ts';
import { drawImage } from '../draw-image.ts';

const HOSTS = { api: 'api.pexels.com', images: 'images.pexels.com' } as const;
const TOTAL = 40;
const SIZES = { landscape: [1880, 1253], portrait: [1253, 1880], square: [1600, 1600] } as const;
type Orientation = keyof typeof SIZES;
const PHOTOGRAPHERS = ['Sandbox Photos', 'Another Sandbox Photographer'];

const unauthorized = (): Reply => json(401, { status: 401, code: 'Unauthorized' });
const badRequest = (code: string): Reply => json(400, { status: 400, code });
const notFound = (): Reply => json(404, { status: 404, code: 'Not Found' });
const rejection = (status: number): Reply => json(status, { status, code: status === 429 ? 'Too Many Requests' : 'Rejected on demand' });

const operations: readonly Operation[] = [
  { name: 'pexels.search_photos', hosts: [HOSTS.api], method: 'GET', path: '/v1/search', handle: search },
  { name: 'pexels.get_file', hosts: [HOSTS.images], method: 'GET', path: '/photos/{id}/{file}', handle: getFile },
];

/** Stock photos. https://www.pexels.com/api/documentation/#photos-search */
export const pexels: Simulated = {
  name: 'pexels',
  hosts: [HOSTS.api, HOSTS.images],
  operations,
  notFound,
  revokedToken: unauthorized,
  rejection,
  internalError: () => rejection(500),
};

/** Words without a letter find nothing. */
function search({ query, headers, origin }: Call): Reply {
  if (!headers['authorization']) return unauthorized();
  const words = query.get('query')?.trim() ?? '';
  const orientation = (query.get('orientation') ?? 'landscape') as Orientation;
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 15)];
  if (words === '') return badRequest('Bad Request: query is required');
  if (!Object.hasOwn(SIZES, orientation) || !(perPage >= 1 && perPage <= 80) || !(page >= 1)) return badRequest('Bad Request');
  const total = /\p{L}/u.test(words) ? TOTAL : 0;
  const first = (page - 1) * perPage;
  const [width, height] = SIZES[orientation];
  const photos = Array.from({ length: Math.max(0, Math.min(perPage, total - first)) }, (_, index) => {
    const id = idOf(words, first + index);
    const at = (w: number, h: number) =>
      `${origin}/${HOSTS.images}/photos/${id}/pexels-photo-${id}.jpeg?auto=compress&cs=tinysrgb&w=${w}&h=${h}`;
    return {
      ...{ id, width, height, url: `https://www.pexels.com/photo/${id}/`, alt: `${words}, photo ${first + index + 1}` },
      photographer: PHOTOGRAPHERS[index % PHOTOGRAPHERS.length],
      photographer_url: 'https://www.pexels.com/@sandbox',
      photographer_id: 1 + (index % PHOTOGRAPHERS.length),
      ...{ avg_color: '#888888', liked: false },
      src: { original: at(width, height), large2x: at(width, height), large: at(Math.round(width / 2), Math.round(height / 2)) },
    };
  });
  return json(200, { total_results: total, page, per_page: perPage, photos });
}

const MAX_SIDE = 4_000;

async function getFile({ params, query }: Call): Promise<Reply> {
  const [width, height] = [Number(query.get('w') ?? 1880), Number(query.get('h') ?? 1253)];
  if (!(width >= 1 && width <= MAX_SIDE && height >= 1 && height <= MAX_SIDE)) return notFound();
  return file(
    'image/jpeg',
    await drawImage(params['id'] ?? '', width, height)
      .jpeg({ quality: 80 })
      .toBuffer(),
  );
}

/** The same words always find the same photos. */
const idOf = (words: string, index: number): number =>
  [...words.toLowerCase()].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_000_000, 7) + 1_000_000 + index;
