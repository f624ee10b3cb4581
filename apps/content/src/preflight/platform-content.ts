import { optionsOver, type CheckedContent, type CoverField } from '@fanfare/connectors/preflight';
import type { CheckedOverride, CheckedPost, MediaOfPost } from './checked-post.ts';
import { overridesFor } from './overrides-for.ts';

/** The content of a post for one platform, and the paths of its fields in the post. */
export interface PlatformContent {
  /** Without options, and without media that are not known yet. */
  readonly content: CheckedContent;
  readonly options: NonNullable<CheckedOverride['options']>;
  readonly media: MediaOfPost;
  /** Whether the link is for this platform only. */
  readonly isOwnLink: boolean;
  /** The covers that are for this platform only. */
  readonly ownCovers: readonly CoverField[];
  /** The dotted path in the post of a field that a finding names, such as `media.2` or `options.board_id`. */
  pathOf(field: string): string;
}

/**
 * @param isAlone whether the post goes to this platform only, so that all of its content is meant for it
 * @param integrationId an account with an override of its own
 */
export function platformContent(platform: string, post: CheckedPost, isAlone = false, integrationId?: string): PlatformContent {
  const overrides = overridesFor(post.overrides, platform, integrationId);
  const first = <K extends keyof CheckedOverride>(field: K) => overrides.find(({ override }) => override[field] !== undefined);
  const pick = <K extends keyof CheckedOverride>(field: K) => first(field)?.override[field];
  const { videoCoverTimestampMs } = post;
  const [caption = post.caption, link = post.link, media = post.media] = [pick('caption'), pick('link'), pick('media')];
  const [title, firstComment] = [pick('title'), pick('firstComment')];
  // Without an override, findings name the one that would be appended.
  const last = overrides[0]?.index ?? post.overrides.length;
  const places: Readonly<Record<string, number | undefined>> = {
    caption: first('caption')?.index,
    link: first('link')?.index,
    media: first('media')?.index,
    title: first('title')?.index ?? last,
    first_comment: first('firstComment')?.index ?? last,
    cover_media_id: undefined,
    video_cover_timestamp_ms: undefined,
  };
  const placeOfOption = (name: string) => overrides.find(({ override }) => override.options?.[name] !== undefined)?.index ?? last;
  return {
    content: {
      caption,
      ...(title !== undefined && { title }),
      ...(link !== undefined && { link }),
      ...(firstComment !== undefined && { firstComment }),
      ...(videoCoverTimestampMs !== undefined && { videoCoverTimestampMs }),
      media: media.known ?? [],
    },
    options: optionsFor(post.overrides, platform, integrationId),
    media,
    isOwnLink: isAlone || places['link'] !== undefined,
    ownCovers: isAlone ? coversOf(post) : [],
    pathOf(field) {
      const [name = '', ...rest] = field.split('.');
      const path = [name === 'media' ? media.field : name, ...(media.field === 'design_id' ? [] : rest)].join('.');
      const place = name === 'options' ? placeOfOption(rest[0] ?? '') : Object.hasOwn(places, name) ? places[name] : last;
      return place === undefined ? path : `platform_overrides.${place}.${path}`;
    },
  };
}

/** The options of a post for a platform, or for one account of it, without the settings of the account. */
export const optionsFor = (
  overrides: readonly Pick<CheckedOverride, 'platform' | 'integrationId' | 'options'>[],
  platform: string,
  integrationId: string | undefined,
): PlatformContent['options'] =>
  overridesFor(overrides, platform, integrationId).reduceRight((options, { override }) => optionsOver(options, override.options ?? {}), {});

function coversOf({ hasCoverMedia, videoCoverTimestampMs }: CheckedPost): CoverField[] {
  return [
    ...(hasCoverMedia ? ['cover_media_id' as const] : []),
    ...(videoCoverTimestampMs === undefined ? [] : ['video_cover_timestamp_ms' as const]),
  ];
}
