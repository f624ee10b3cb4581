import { countsOf, followersOf } from '../../world/statistics.ts';
import { postState, repliesTo, type Post } from '../../world/post.ts';
import { progressOf } from '../../world/processing.ts';
import { issueToken, type Token } from '../../world/credentials.ts';
import type { Media } from '../../world/media.ts';
import type { Account, World } from '../../world/world.ts';
import { select, type Field, type Node } from '../graph/fields.ts';
import { graphTime } from '../graph/paging.ts';
import { requireScope, type Session } from '../graph/session.ts';
import { insightsOf, likesOf } from './insights.ts';
import { photos, type Photo, type Video } from './state.ts';

export function pageNode(world: World, page: Account, caller: Session): Node {
  const linked = page.linked_id && caller.grant.scopes.includes('instagram_basic') ? { id: page.linked_id } : undefined;
  return {
    id: page.id,
    name: page.name,
    username: page.username,
    category: 'Café',
    tasks: ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE'],
    access_token: () => pageToken(world, page, caller).token,
    followers_count: followersOf(world, page),
    fan_count: likesOf(world, page),
    link: `https://www.facebook.com/${page.username}`,
    picture: { data: { height: 50, width: 50, is_silhouette: false, url: `https://www.facebook.com/${page.id}/picture` } },
    instagram_business_account: linked,
    connected_instagram_account: linked,
  };
}

/** One Page token for each consent and kind of user token: repeated calls return the same one. One derived from a long-lived token does not expire. */
function pageToken(world: World, page: Account, caller: Session): Token {
  if (caller.token.kind === 'page') return caller.token;
  const expiresAt = caller.token.kind === 'long_user' ? null : caller.token.expires_at;
  const known = [...world.tokens.values()].find(
    (one) => one.kind === 'page' && one.grant_id === caller.grant.id && one.account_id === page.id && one.expires_at === expiresAt,
  );
  return (
    known ??
    issueToken(
      world,
      { platform: caller.token.platform, kind: 'page', grant_id: caller.grant.id, account_id: page.id, expires_at: expiresAt },
      'sbxfbp_',
    )
  );
}

/** @param caller the reader of insights; without one there are none */
export function postNode(world: World, post: Post, caller?: Session): Node {
  const counts = countsOf(world, post);
  const media = post.media_ids.flatMap((id) => world.media.get(id) ?? []);
  const kinds = { album: 'album', photo: 'photo', video: 'video', reel: 'video', link: 'link' } as Record<string, string>;
  return {
    id: post.id,
    message: post.text || undefined,
    created_time: graphTime(post.created_at),
    updated_time: graphTime(post.created_at),
    permalink_url: post.url,
    is_published: post.published,
    status_type:
      kinds[post.kind] === undefined
        ? 'mobile_status_update'
        : kinds[post.kind] === 'link'
          ? 'shared_story'
          : kinds[post.kind] === 'video'
            ? 'added_video'
            : 'added_photos',
    full_picture: media[0] ? mediaUrl(media[0].id) : undefined,
    attachments: (field: Field) => attachmentsOf(world, post, kinds[post.kind], media, field),
    // Absent until somebody has shared it.
    shares: counts.shares > 0 ? { count: counts.shares } : undefined,
    comments: (field: Field) =>
      counted(
        field,
        repliesTo(world, post.id).map((one) => select('Comment', commentNode(one), field.fields, ['created_time', 'message', 'id'])),
      ),
    reactions: (field: Field) => countedOnly(field, counts.likes),
    likes: (field: Field) => countedOnly(field, counts.likes),
    insights: (field: Field) => readInsights(world, post, field, caller),
  };
}

/** The target is the photo, video or link itself; for an album, the post. */
function attachmentsOf(world: World, post: Post, mediaType: string | undefined, media: Media[], requested: Field) {
  if (mediaType === undefined) return undefined;
  const [first] = media;
  const url = post.link ?? post.url;
  const shown = (node: Node, { fields }: Field) =>
    select('StoryAttachment', node, fields, ['media', 'media_type', 'subattachments', 'target', 'url']);
  const photo = (one: Media): Node => ({
    media_type: 'photo',
    media: imageOf(one),
    target: targetOf(world, post, one),
    url,
    subattachments: undefined,
  });
  const attachment: Node = {
    media_type: mediaType,
    media: first && imageOf(first),
    target: mediaType === 'album' ? { id: post.id, url } : targetOf(world, post, first),
    url,
    subattachments: (field: Field) => (media.length > 1 ? { data: media.map((one) => shown(photo(one), field)) } : undefined),
  };
  return { data: [shown(attachment, requested)] };
}

const imageOf = ({ id, width, height }: Media) => ({ image: { src: mediaUrl(id), width, height } });

function targetOf(world: World, post: Post, media: Media | undefined): { id?: string; url: string } {
  const photo = [...photos(world).values()].find((one) => one.post_id === post.id && one.media_id === media?.id);
  const id = (post.details['video_id'] as string | undefined) ?? photo?.id;
  return { ...(id !== undefined && { id }), url: post.link ?? post.url };
}

function counted(field: Field, rows: unknown[]) {
  const limit = Number(field.modifiers['limit'] ?? 25);
  return { data: rows.slice(0, limit), ...(field.modifiers['summary'] && { summary: { total_count: rows.length } }) };
}

/** An edge of which only the count is known. */
const countedOnly = (field: Field, total: number) => ({ data: [], ...(field.modifiers['summary'] && { summary: { total_count: total } }) });

function readInsights(world: World, post: Post, field: Field, caller: Session | undefined) {
  if (!caller) return undefined;
  requireScope(caller, 'read_insights');
  return insightsOf(world, post, field);
}

export const commentNode = (comment: Post): Node => ({
  id: comment.id,
  message: comment.text,
  created_time: graphTime(comment.created_at),
  permalink_url: comment.url,
});

export function photoNode(world: World, photo: Photo): Node {
  const media = world.media.get(photo.media_id);
  return {
    id: photo.id,
    created_time: graphTime(photo.created_at),
    page_story_id: photo.post_id ?? undefined,
    alt_text_custom: media?.alt_text ?? undefined,
    width: media?.width,
    height: media?.height,
    link: `https://www.facebook.com/photo/?fbid=${photo.id}`,
  };
}

export function videoNode(world: World, video: Video, caller: Session): Node {
  const post = video.post_id ? world.posts.get(video.post_id) : undefined;
  return {
    id: video.id,
    title: video.title ?? undefined,
    description: video.description ?? undefined,
    // When it was published.
    created_time: graphTime(post?.created_at ?? video.created_at),
    updated_time: graphTime(post?.created_at ?? video.created_at),
    published: post !== undefined && postState(post, world.now()) === 'live',
    length: video.length ?? undefined,
    permalink_url: post?.url,
    post_id: post?.id,
    from: { id: video.page_id },
    picture: video.media_id ? mediaUrl(video.media_id) : undefined,
    source: video.media_id ? `${mediaUrl(video.media_id)}.mp4` : undefined,
    comments: (field: Field) => counted(field, post ? repliesTo(world, post.id) : []),
    reactions: (field: Field) => countedOnly(field, post ? countsOf(world, post).likes : 0),
    video_insights: (field: Field) => (post ? readInsights(world, post, field, caller) : { data: [] }),
    status: statusOf(video, post, world.now()),
  };
}

function statusOf(video: Video, post: Post | undefined, now: number) {
  const progress = video.processing ? progressOf(video.processing, now) : null;
  const uploadFailed = video.upload === 'failed';
  const processing =
    progress === null ? 'not_started' : progress === 'finished' ? 'complete' : progress === 'failed' ? 'error' : 'in_progress';
  const failure = video.processing?.failure;
  return {
    video_status: uploadFailed
      ? 'upload_failed'
      : progress === 'finished'
        ? 'ready'
        : progress === 'failed'
          ? 'error'
          : progress
            ? 'processing'
            : video.upload === 'complete'
              ? 'upload_complete'
              : 'uploading',
    uploading_phase: {
      status: uploadFailed ? 'error' : video.upload === 'complete' ? 'complete' : progress ? 'in_progress' : 'not_started',
      ...(video.upload_error && { errors: [{ code: 1_363_030, message: video.upload_error }] }),
    },
    processing_phase: {
      status: processing,
      ...(progress === 'failed' && failure && { errors: [{ code: failure.code, message: failure.message }] }),
    },
    publishing_phase: {
      status: progress === 'finished' && post?.published ? 'complete' : progress === 'failed' ? 'error' : 'not_started',
      ...(progress === 'finished' && post?.published && { publish_status: 'published', publish_time: graphTime(post.created_at) }),
    },
  };
}

const mediaUrl = (id: string) => `https://scontent.xx.fbcdn.net/${id}`;
