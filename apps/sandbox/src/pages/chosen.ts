import type { Post } from '../world/post.ts';
import type { Card } from './card.ts';
import { escape } from './html-page.ts';
import { wordsFor } from './words-for.ts';

/**
 * What a caller chose besides text and media, as HTML for people; other details of a post are internal to the platform.
 * @param card shows some of it itself, and has its own texts for some
 */
export function chosen(post: Post, { shows, words: ownWords = {}, labels = [] }: Omit<Card, 'draw'>): string {
  const rows = [...LABELS, ...labels].flatMap(([name, label]) => {
    const words = shows.includes(name) ? null : wordsFor(post, name, ownWords);
    return words ? `<dt>${escape(label)}</dt><dd>${escape(words)}</dd>` : [];
  });
  return rows.length ? `<dl class="chosen">${rows.join('')}</dl>` : '';
}

/** The platforms' names of options, in display order; a card may add others. */
const LABELS: NonNullable<Card['labels']> = [
  ['title', 'Title'],
  ['content', 'Title'],
  ['article', 'Card'],
  ['event', 'Event'],
  ['offer', 'Offer'],
  ['callToAction', 'Button'],
  ['poll', 'Poll'],
  ['cover', 'Cover'],
  ['thumb_offset', 'Cover'],
  ['video_cover_timestamp_ms', 'Cover'],
  ['photo_cover_index', 'Cover'],
  ['draft', 'Draft'],
  ['privacy_level', 'Seen by'],
  ['privacy_status', 'Privacy'],
  ['visibility', 'Seen by'],
  ['made_for_kids', 'Made for kids'],
  ['notify_subscribers', 'Subscribers notified'],
  ['default_language', 'Language'],
  ['tags', 'Tags'],
  ['collaborators', 'With'],
  ['user_tags', 'People'],
  ['location_id', 'Place'],
  ['community_id', 'Community'],
  ['reply_settings', 'Replies from'],
  ['share_to_feed', 'In the feed'],
  ['trial_params', 'Trial reel'],
  ['audio_name', 'Audio'],
  ['auto_add_music', 'Music added'],
  ['disable_comment', 'Comments off'],
  ['disable_duet', 'Duets off'],
  ['disable_stitch', 'Stitches off'],
  ['brand_content_toggle', 'Paid partnership'],
  ['brand_organic_toggle', 'Own brand'],
  ['paid_partnership', 'Paid partnership'],
  ['is_ai_generated', 'Made with AI'],
  ['made_with_ai', 'Made with AI'],
  ['is_aigc', 'Made with AI'],
  ['contains_synthetic_media', 'Altered or made with AI'],
];
