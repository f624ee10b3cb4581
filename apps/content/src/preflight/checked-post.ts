import type { CheckedMedia } from '@fanfare/connectors/preflight';
import type { CreatePostRequest, LinkTracking, PlatformOverride } from '@fanfare/contracts/content';
import type { PostDocument } from '../posts/post.ts';
import { checkedMedia } from './checked-media.ts';
import { hasContentInOptions } from './has-content-in-options.ts';

/** A post in the form that preflight checks, from a request or from the database. */
export interface CheckedPost {
  readonly caption: string;
  readonly link: string | undefined;
  readonly videoCoverTimestampMs: number | undefined;
  readonly hasCoverMedia: boolean;
  /** Whether the post itself restricts its targets. */
  readonly isRestricted: boolean;
  readonly media: MediaOfPost;
  readonly overrides: readonly CheckedOverride[];
  /** What is added to its links when it is sent; undefined if nothing is. */
  readonly tracked: TrackedPost | undefined;
}

/** The link tracking of the business, and the values of its placeholders. */
interface TrackedPost {
  readonly linkTracking: LinkTracking;
  readonly postId: string;
  readonly businessId: string;
}

export interface CheckedOverride extends Pick<
  PlatformOverride,
  'platform' | 'integrationId' | 'caption' | 'title' | 'link' | 'firstComment' | 'options'
> {
  /** Undefined if the override uses the media of the post. */
  readonly media: MediaOfPost | undefined;
}

export interface MediaOfPost {
  /** The field that contains the media. */
  readonly field: string;
  readonly count: number;
  /** Undefined if the media are not known yet, such as those of a URL. */
  readonly known: readonly CheckedMedia[] | undefined;
}

/**
 * A post that would be created.
 * @param known the facts of its media; undefined if those of at least one are unknown
 * @param knownOfOverrides the same for the media of each override
 * @param tracked the link tracking of its business
 */
export function givenPost(
  post: CreatePostRequest,
  known: readonly CheckedMedia[] | undefined,
  knownOfOverrides: readonly (readonly CheckedMedia[] | undefined)[] = [],
  tracked?: TrackedPost,
): CheckedPost {
  const { caption, link, videoCoverTimestampMs, coverMediaId, mediaIds, mediaUrls, designId, platformOverrides } = post;
  const isKnown = mediaUrls.length === 0;
  return {
    caption,
    link,
    videoCoverTimestampMs,
    hasCoverMedia: coverMediaId !== undefined,
    isRestricted: post.restrictPublishTo.length > 0 || post.restrictPublishToIntegrationIds.length > 0,
    media: {
      field: designId !== undefined ? 'design_id' : mediaUrls.length > 0 ? 'media_urls' : 'media_ids',
      count: designId !== undefined ? (known?.length ?? 1) : mediaIds.length + mediaUrls.length,
      known: isKnown ? known : undefined,
    },
    overrides: platformOverrides.map(({ override, mediaUrls: urls, mediaIds: ids }, index) => ({
      ...(override ?? { platform: '', options: undefined }),
      media: ids
        ? { field: 'media_ids', count: ids.items.length, known: knownOfOverrides[index] }
        : urls && { field: 'media_urls', count: urls.urls.length, known: urls.urls.length === 0 ? [] : undefined },
    })),
    tracked,
  };
}

/** A stored post. Findings name its media by the fields of a response. */
export function storedPost(post: PostDocument, linkTracking: LinkTracking | undefined): CheckedPost {
  const { caption, link, video_cover_timestamp_ms: videoCoverTimestampMs, media, platform_overrides } = post;
  return {
    caption,
    link,
    videoCoverTimestampMs,
    hasCoverMedia: post.cover_media_id !== undefined,
    isRestricted: post.restrict_publish_to.length > 0 || post.restrict_publish_to_integration_ids.length > 0,
    media: { field: 'media_urls', count: media.length, known: checkedMedia(media) },
    overrides: platform_overrides.map((override) => ({
      ...override,
      media: override.media && { field: 'media_urls', count: override.media.items.length, known: checkedMedia(override.media.items) },
    })),
    tracked: linkTracking && { linkTracking, postId: post._id, businessId: post.business_id },
  };
}

/** Whether the post has any content to publish, for at least one target. A post with a design has media, known or not. */
export function suppliesContent({ caption, link, media, overrides }: CheckedPost): boolean {
  if (caption.trim() !== '' || link !== undefined || media.count > 0 || media.known === undefined) return true;
  return overrides.some(
    (one) => (one.caption ?? '').trim() !== '' || one.link !== undefined || (one.media?.count ?? 0) > 0 || hasContentInOptions(one),
  );
}
