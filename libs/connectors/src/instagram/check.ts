import {
  unsupported,
  type CheckCombination,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
} from '../checks/check-content.ts';
import { MAX_USER_TAGS } from './limits.ts';
import { options, type InstagramOptions } from './options.ts';

const NOT_OF_STORIES = ['collaborators', 'location_id', 'audio_name', 'thumb_offset', 'trial_params'] as const;
const OF_REELS = ['audio_name', 'thumb_offset', 'trial_params'] as const;

/** What is allowed for which kind of post (platform reference 2.2). `share_to_feed` is ignored for other posts than reels, so that an account may have it in its settings. */
export const check: CheckCombination = (content) => {
  const given = options.safeParse(content.options ?? {}).data;
  if (!given) return [];
  if (given.kind === 'story') {
    const comment = content.firstComment ? [unsupported('first_comment', 'A story cannot have a first comment.')] : [];
    return [...comment, ...named(given, NOT_OF_STORIES, (name) => `A story cannot have ${name}.`), ...checkTags(content, given)];
  }
  const { media } = content;
  // The media behind URLs are not known yet.
  if (media.length === 0) return [];
  const reel = media.length === 1 && media[0]?.type === 'video' ? media[0] : undefined;
  if (!reel)
    return [...named(given, OF_REELS, (name) => `Only reels (posts with a single video) can have ${name}.`), ...checkTags(content, given)];
  const { thumb_offset = 0 } = given;
  const after = reel.durationMs !== undefined && thumb_offset > reel.durationMs;
  return [
    ...(after ? [unsupported('options.thumb_offset', 'The cover frame is past the end of the video.')] : []),
    ...checkTags(content, given),
  ];
};

function named(given: InstagramOptions, names: readonly (keyof InstagramOptions)[], says: (name: string) => string): ContentFinding[] {
  return names.filter((name) => given[name] !== undefined).map((name) => unsupported(`options.${name}`, says(name)));
}

function checkTags({ media }: CheckedContent, { kind, user_tags = [] }: InstagramOptions): ContentFinding[] {
  if (media.length === 0) return [];
  return user_tags.flatMap(({ x, y, media_index = 0 }, index) => {
    const field = `options.user_tags.${index}`;
    const tagged = media[media_index];
    if (!tagged) return [unsupported(field, `The post has no media with index ${media_index}.`)];
    const problem = kind === 'story' ? inStory(x, y) : inPost(tagged, media.length > 1, x !== undefined && y !== undefined, x ?? y);
    if (problem !== undefined) return [unsupported(field, problem)];
    const before = user_tags.slice(0, index).filter((one) => (one.media_index ?? 0) === media_index).length;
    return before >= MAX_USER_TAGS ? [unsupported(field, `At most ${MAX_USER_TAGS} people can be tagged in one image or video.`)] : [];
  });
}

/** What is wrong with the position of a tag. */
function inStory(x: number | undefined, y: number | undefined): string | undefined {
  return (x === undefined) === (y === undefined) ? undefined : 'A tag in a story requires both x and y, or neither.';
}

function inPost({ type }: CheckedMedia, isAmongOthers: boolean, isPlaced: boolean, anyPlace: number | undefined): string | undefined {
  if (type === 'image') return isPlaced ? undefined : 'A tag in an image requires x and y.';
  if (isAmongOthers) return 'People cannot be tagged in a video of a carousel.';
  return anyPlace === undefined ? undefined : 'A tag in a reel has no position. Leave out x and y.';
}
