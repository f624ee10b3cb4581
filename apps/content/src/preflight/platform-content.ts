import { optionsOver, type CheckedContent, type CoverField } from '@fanfare/connectors/preflight';
import type { CheckedOverride, CheckedPost, MediaOfPost } from './checked-post.ts';
import { overridesFor } from './overrides-for.ts';

/** What a post says to one platform, and where each part of that stands in it. */
export interface PlatformContent {
  /** Without options. Media that nobody knows yet are left out. */
  readonly content: CheckedContent;
  readonly options: NonNullable<CheckedOverride['options']>;
  readonly media: MediaOfPost;
  /** Whether the link was given for this platform alone. */
  readonly isOwnLink: boolean;
  /** The covers that were given for this platform alone. */
  readonly ownCovers: readonly CoverField[];
  /** Dotted path of a field that a finding names, such as `media.2` or `options.board_id`. */
  pathOf(field: string): string;
}

/**
 * @param isAlone whether the post is for this platform and no other, so that all of it is said to this one
 * @param integrationId an account that has an override of its own
 */
export function platformContent(platform: string, post: CheckedPost, isAlone = false, integrationId?: string): PlatformContent {
  const overrides = overridesFor(post.overrides, platform, integrationId);
  const first = <K extends keyof CheckedOverride>(field: K) => overrides.find(({ override }) => override[field] !== undefined);
  const pick = <K extends keyof CheckedOverride>(field: K) => first(field)?.override[field];
  const { videoCoverTimestampMs } = post;
  const [caption = post.caption, link = post.link, media = post.media] = [pick('caption'), pick('link'), pick('media')];
  const [title, firstComment] = [pick('title'), pick('firstComment')];
  // Where there is none it would be the next.
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
    options: overrides.reduceRight((options, { override }) => optionsOver(options, override.options ?? {}), {}),
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

function coversOf({ hasCoverMedia, videoCoverTimestampMs }: CheckedPost): CoverField[] {
  return [
    ...(hasCoverMedia ? ['cover_media_id' as const] : []),
    ...(videoCoverTimestampMs === undefined ? [] : ['video_cover_timestamp_ms' as const]),
  ];
}
