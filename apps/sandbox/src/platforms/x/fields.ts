/** The names in X's OpenAPI description; X rejects others. */
export const userFields = [
  'affiliation',
  'connection_status',
  'entities',
  'is_identity_verified',
  'location',
  'parody',
  'profile_banner_url',
  'receives_your_dm',
  'verified_followers_count',
  'withheld',
  'created_at',
  'description',
  'id',
  'name',
  'most_recent_tweet_id',
  'pinned_tweet_id',
  'profile_image_url',
  'protected',
  'public_metrics',
  'subscription_type',
  'url',
  'username',
  'verified',
  'verified_type',
];
/** With the names before version 2.167, which X still accepts. */
export const tweetFields = [
  'article',
  'card_uri',
  'community_id',
  'context_annotations',
  'display_text_range',
  'edit_controls',
  'geo',
  'media_metadata',
  'note_tweet',
  'withheld',
  'attachments',
  'author_id',
  'conversation_id',
  'created_at',
  'edit_history_tweet_ids',
  'entities',
  'id',
  'in_reply_to_user_id',
  'lang',
  'non_public_metrics',
  'organic_metrics',
  'possibly_sensitive',
  'promoted_metrics',
  'public_metrics',
  'referenced_tweets',
  'reply_settings',
  'source',
  'text',
];
/** With the names of 2.167: expansions contain a post's author and references. */
export const postFields = [
  ...tweetFields.filter(
    (name) => !['author_id', 'edit_history_tweet_ids', 'in_reply_to_user_id', 'note_tweet', 'referenced_tweets'].includes(name),
  ),
  ...['article_title', 'matched_media_notes', 'note_post', 'note_request_suggestions', 'paid_partnership', 'scopes'],
  ...['suggested_source_links', 'suggested_source_links_with_counts'],
];
export const mediaFields = [
  'alt_text',
  'duration_ms',
  'height',
  'media_key',
  'non_public_metrics',
  'organic_metrics',
  'preview_image_url',
  'promoted_metrics',
  'public_metrics',
  'type',
  'url',
  'variants',
  'width',
];
export const mediaAnalyticsFields = [
  ...['cta_url_clicks', 'cta_watch_clicks', 'media_key', 'play_from_tap', 'playback25', 'playback50', 'playback75'],
  ...['playback_complete', 'playback_start', 'timestamp', 'video_views', 'watch_time_ms'],
];
export const expansions = [
  ...['attachments.media_keys', 'author_id', 'in_reply_to_user_id'],
  ...['referenced_tweets.id', 'edit_history_tweet_ids', 'referenced_posts', 'edit_history_post_ids'],
];
export const postQuery = ['post.fields', 'tweet.fields', 'expansions', 'media.fields', 'user.fields', 'poll.fields', 'place.fields'];
export const timelineQuery = ['max_results', 'pagination_token', 'start_time', 'end_time', 'since_id', 'until_id', 'exclude', ...postQuery];
