import { escape } from '../platforms/html-page.ts';
import type { Post } from '../world/post.ts';

/** What a caller can choose besides words and media; the rest of a post's details is the platform's own. */
const NAMES = [
  ...['title', 'cover', 'collaborators', 'user_tags', 'location_id', 'share_to_feed', 'audio_name', 'thumb_offset', 'trial_params'],
  ...['is_ai_generated', 'made_with_ai', 'paid_partnership', 'reply_settings', 'poll', 'community_id'],
];

/** As HTML. */
export function chosen({ details }: Post): string {
  const rows = NAMES.filter((name) => details[name] !== undefined && details[name] !== null).map(
    (name) => `<dt>${escape(name)}</dt><dd>${escape(shown(details[name]))}</dd>`,
  );
  return rows.length ? `<dl class="chosen">${rows.join('')}</dl>` : '';
}

const shown = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
