import { invalidParameter } from '../graph/errors.ts';
import { flag, integer, list, text, type Params } from '../graph/params.ts';
import { rejectMedia } from './errors.ts';
import { limits, places } from './limits.ts';
import type { Container } from './state.ts';

const ofReels = ['share_to_feed', 'audio_name', 'thumb_offset', 'trial_params', 'cover_url'] as const;
const ofPosts = ['collaborators', 'location_id'] as const;

/** Every parameter of a container. */
export const containerParams = [
  ...['media_type', 'image_url', 'video_url', 'upload_type', 'caption', 'alt_text', 'is_carousel_item', 'children', 'is_ai_generated'],
  ...ofReels,
  ...[...ofPosts, 'user_tags'],
];

/**
 * A container's parameters besides media and caption, validated strictly; the Graph API would silently ignore those that do not apply to the kind of
 * container.
 */
export function extrasOf(values: Params, mediaType: Container['media_type'], isChild: boolean): Record<string, unknown> {
  const isImage = mediaType === 'IMAGE';
  reject(values, mediaType === 'REELS' ? [] : ofReels, mediaType);
  reject(values, isChild ? ['collaborators', 'location_id', 'is_ai_generated', 'caption'] : [], 'carousel item');
  reject(values, mediaType === 'STORIES' ? ofPosts : mediaType === 'CAROUSEL' || (isChild && !isImage) ? ['user_tags'] : [], mediaType);
  reject(values, isImage ? [] : ['alt_text'], mediaType);
  if ([...(text(values, 'alt_text') ?? '')].length > limits.altTextCharacters)
    throw invalidParameter(`Param alt_text must be no longer than ${limits.altTextCharacters} characters`);
  const extras = {
    collaborators: collaboratorsOf(values),
    user_tags: tagsOf(values, isImage ? 'needed' : mediaType === 'STORIES' ? 'possible' : 'none'),
    location_id: placeOf(values),
    is_ai_generated: flag(values, 'is_ai_generated'),
    share_to_feed: flag(values, 'share_to_feed'),
    audio_name: text(values, 'audio_name'),
    thumb_offset: integer(values, 'thumb_offset'),
    trial_params: trialOf(values),
  };
  return Object.fromEntries(Object.entries(extras).filter(([, value]) => value !== undefined));
}

function reject(values: Params, names: readonly string[], mediaType: string): void {
  const wrong = names.find((name) => values[name] !== undefined);
  if (wrong !== undefined) throw invalidParameter(`Param ${wrong} cannot be used with media type ${mediaType}`);
}

function collaboratorsOf(values: Params): string[] | undefined {
  const names = list(values, 'collaborators');
  if (names && names.length > limits.collaborators) throw rejectMedia('too_many_tags');
  return names?.map((name) => checkedUsername(name, 'collaborators'));
}

function tagsOf(values: Params, place: 'needed' | 'possible' | 'none'): Record<string, unknown>[] | undefined {
  const tags = list(values, 'user_tags');
  if (tags && tags.length > limits.userTags) throw rejectMedia('too_many_tags');
  return tags?.map((tag) => {
    const { username, x, y, ...others } = (tag ?? {}) as Record<string, unknown>;
    const isPlaced = [x, y].every((share) => typeof share === 'number' && share >= 0 && share <= 1);
    const isPlaceless = x === undefined && y === undefined;
    const isFitting = (place !== 'none' && isPlaced) || (place !== 'needed' && isPlaceless);
    if (Object.keys(others).length > 0 || !isFitting) {
      throw invalidParameter(
        place === 'none'
          ? 'Param user_tags of a video must have username alone'
          : 'Param user_tags must have username, x and y, from 0 to 1',
      );
    }
    return { username: checkedUsername(username, 'user_tags'), ...(isPlaced && { x, y }) };
  });
}

function checkedUsername(name: unknown, param: string): string {
  if (typeof name !== 'string' || !/^[A-Za-z0-9._]{1,30}$/.test(name)) throw invalidParameter(`Param ${param} must name Instagram users`);
  return name;
}

function placeOf(values: Params): string | undefined {
  const id = text(values, 'location_id');
  if (id !== undefined && !places.includes(id))
    throw invalidParameter('INSTAGRAM_PLATFORM_API__INVALID_LOCATION_ID: Param location_id must be a Page with a location');
  return id;
}

function trialOf(values: Params): { graduation_strategy: string } | undefined {
  const given = values['trial_params'];
  if (given === undefined) return undefined;
  const { graduation_strategy: strategy } = parsed(given) as { graduation_strategy?: unknown };
  if (strategy !== 'MANUAL' && strategy !== 'SS_PERFORMANCE') {
    throw invalidParameter('Param trial_params[graduation_strategy] must be one of {MANUAL, SS_PERFORMANCE}');
  }
  return { graduation_strategy: strategy };
}

function parsed(value: unknown): object {
  try {
    const json = typeof value === 'string' ? (JSON.parse(value) as unknown) : value;
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    return {};
  }
}
