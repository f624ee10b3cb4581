import type { CheckedContent, CoverField } from '@fanfare/connectors/preflight';
import type { CheckedOverride, CheckedPost, MediaOfPost } from './checked-post.ts';

/** What a post says to one platform, and where each part of that stands in it. */
export interface Said {
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

/** @param isAlone whether the post is for this platform and no other, so that all of it is said to this one */
export function saidTo(platform: string, post: CheckedPost, isAlone = false): Said {
  const index = post.overrides.findIndex((override) => override.platform === platform);
  const override = post.overrides[index];
  const { videoCoverTimestampMs } = post;
  const { caption = post.caption, title, link = post.link, firstComment, media = post.media, options = {} } = override ?? {};
  // Where there is none it would be the next.
  const at = `platform_overrides.${override ? index : post.overrides.length}`;
  const isOwn: Readonly<Record<string, boolean>> = {
    caption: override?.caption === undefined,
    link: override?.link === undefined,
    media: override?.media === undefined,
    cover_media_id: true,
    video_cover_timestamp_ms: true,
  };
  return {
    content: {
      caption,
      ...(title !== undefined && { title }),
      ...(link !== undefined && { link }),
      ...(firstComment !== undefined && { firstComment }),
      ...(videoCoverTimestampMs !== undefined && { videoCoverTimestampMs }),
      media: media.known ?? [],
    },
    options,
    media,
    isOwnLink: isAlone || override?.link !== undefined,
    ownCovers: isAlone ? coversOf(post) : [],
    pathOf(field) {
      const [name = '', ...rest] = field.split('.');
      const path = [name === 'media' ? media.field : name, ...rest].join('.');
      return isOwn[name] ? path : `${at}.${path}`;
    },
  };
}

function coversOf({ hasCoverMedia, videoCoverTimestampMs }: CheckedPost): CoverField[] {
  return [
    ...(hasCoverMedia ? ['cover_media_id' as const] : []),
    ...(videoCoverTimestampMs === undefined ? [] : ['video_cover_timestamp_ms' as const]),
  ];
}
