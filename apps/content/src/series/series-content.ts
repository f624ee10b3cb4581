import type { PostDocument } from '../posts/post.ts';

/** What a post of a series hands on to the next one. */
const CONTENT = [
  'caption',
  'media',
  'design_id',
  'design_revision',
  'cover_media_id',
  'video_cover_timestamp_ms',
  'link',
  'restrict_publish_to',
  'restrict_publish_to_integration_ids',
  'metadata',
  'platform_overrides',
  'misfire_policy',
  'strategy',
] as const satisfies readonly (keyof PostDocument)[];

export type SeriesContent = Pick<PostDocument, (typeof CONTENT)[number]>;

export const contentOf = (post: PostDocument): SeriesContent =>
  Object.fromEntries(CONTENT.flatMap((field) => (post[field] === undefined ? [] : [[field, post[field]]]))) as unknown as SeriesContent;

/** The post with other content. */
export function withContent(post: PostDocument, content: SeriesContent): PostDocument {
  const rest = Object.fromEntries(Object.entries(post).filter(([field]) => !(CONTENT as readonly string[]).includes(field)));
  return { ...rest, ...content } as PostDocument;
}

/** The id of the first post of its series; undefined if it is in none. */
export const seriesOf = ({ _id, series_id, repeating_cron, is_followed }: SeriesPost): string | undefined =>
  series_id ?? (repeating_cron !== undefined || is_followed ? _id : undefined);

/** The key by which lists find the posts of a series; it is among those of targets, because a further index would cost every write. */
export const seriesKey = (seriesId: string): string => `series:${seriesId}`;

export const seriesKeysOf = (post: SeriesPost): string[] => [seriesOf(post)].flatMap((id) => (id === undefined ? [] : [seriesKey(id)]));

type SeriesPost = Pick<PostDocument, '_id' | 'series_id' | 'repeating_cron' | 'is_followed'>;
