import { countsOf, followersOf } from '../../world/statistics.ts';
import { livePostsOf, type Post } from '../../world/post.ts';
import type { Account, World } from '../../world/world.ts';
import { readText, type UrlEntity } from './post-text.ts';
import { uploads, type Upload } from './state.ts';

export type XNode = Record<string, unknown>;

export function postNode(world: World, post: Post): XNode {
  const keys = mediaKeysOf(post);
  const { text, urls, note } = readText(post.details['x_text'] as string, post.details['urls'] as UrlEntity[]);
  const counts = countsOf(world, post);
  const shown = { reply_count: counts.comments, like_count: counts.likes, impression_count: counts.impressions };
  const clicks = { url_link_clicks: counts.clicks, user_profile_clicks: Math.round(counts.reach / 100) };
  return {
    id: post.id,
    text,
    ...{ note_post: note, note_tweet: note },
    ...{ edit_history_post_ids: [post.id], edit_history_tweet_ids: [post.id] },
    author_id: post.account_id,
    conversation_id: post.reply_to ?? post.id,
    created_at: `${post.created_at.slice(0, 19)}.000Z`,
    attachments: keys.length ? { media_keys: keys } : undefined,
    entities: urls.length ? { urls } : undefined,
    in_reply_to_user_id: post.reply_to ? post.account_id : undefined,
    ...(post.reply_to && { referenced_posts: referenced(post.reply_to), referenced_tweets: referenced(post.reply_to) }),
    lang: 'en',
    possibly_sensitive: false,
    reply_settings: 'everyone',
    source: 'Sandbox',
    public_metrics: { ...shown, retweet_count: counts.shares, quote_count: 0, bookmark_count: counts.saves },
    non_public_metrics: { impression_count: counts.impressions, ...clicks },
    organic_metrics: { ...shown, retweet_count: counts.shares, ...clicks },
    // Nothing is promoted here.
    promoted_metrics: undefined,
  };
}

const referenced = (id: string) => [{ type: 'replied_to', id }];

const mediaKeysOf = ({ details }: Post) => details['media_keys'] as string[];

export function uploadsOf(world: World, post: Post): Upload[] {
  const keys = mediaKeysOf(post);
  return [...uploads(world).values()].filter(({ media_key }) => keys.includes(media_key));
}

export function mediaNode(world: World, post: Post, { media_key, media_id, category }: Upload): XNode {
  const media = world.media.get(media_id!);
  const isVideo = media?.kind === 'video';
  const url = `https://pbs.twimg.com/media/${media_key}.jpg`;
  const { views, completed } = countsOf(world, post);
  const [start, quarter, half, threeQuarters, end] = playedTo(views, completed);
  const playback = {
    ...{ playback_0_count: start, playback_25_count: quarter, playback_50_count: half },
    ...{ playback_75_count: threeQuarters, playback_100_count: end },
  };
  return {
    media_key,
    type: category === 'tweet_gif' ? 'animated_gif' : isVideo ? 'video' : 'photo',
    width: media?.width,
    height: media?.height,
    url: isVideo ? undefined : url,
    preview_image_url: isVideo ? url : undefined,
    duration_ms: media?.duration_ms ?? undefined,
    alt_text: media?.alt_text ?? undefined,
    ...(isVideo && {
      public_metrics: { view_count: views },
      non_public_metrics: playback,
      organic_metrics: { ...playback, view_count: views },
    }),
  };
}

/** How many views lasted up to each quarter of a video: fewer and fewer, evenly. */
export const playedTo = (views: number, completed: number): number[] =>
  [0, 0.25, 0.5, 0.75, 1].map((part) => Math.round(views - (views - completed) * part));

export function userNode(world: World, user: Account): XNode {
  const posts = livePostsOf(world, user.id);
  return {
    id: user.id,
    name: user.name,
    username: user.username,
    created_at: user.created_at,
    description: '',
    profile_image_url: `https://pbs.twimg.com/profile_images/${user.id}/normal.jpg`,
    protected: false,
    public_metrics: {
      followers_count: followersOf(world, user),
      following_count: 64,
      tweet_count: posts.length,
      listed_count: 2,
      like_count: 0,
      media_count: posts.filter(({ media_ids }) => media_ids.length > 0).length,
    },
    most_recent_tweet_id: posts[0]?.id,
    subscription_type: user.subscription_type ?? 'None',
    url: '',
    verified: false,
    verified_type: 'none',
  };
}
