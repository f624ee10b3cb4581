import type { CheckedContent, ContentFinding, Warn } from '../checks/check-content.ts';
import { ignored, untitled } from '../checks/content-finding.ts';
import { isDraft } from './options.ts';

/** Options that the owner of the account chooses for a draft. */
const OF_POSTS = [
  'privacy_level',
  'disable_comment',
  'disable_duet',
  'disable_stitch',
  'disclose_branded_content',
  'disclose_own_brand',
  'disclose_ai_generated',
  'auto_add_music',
] as const;

/** Options that TikTok has only for videos or only for photos, and what it does not accept with drafts. */
export const warn: Warn = (content) => {
  const [first] = content.media;
  if (!first) return [];
  const isVideo = first.type === 'video';
  const unseen = isVideo ? untitled(content.title, 'On TikTok, only photos have titles') : [];
  return [...unseen, ...aboutKind(content, isVideo)];
};

function aboutKind(content: CheckedContent, isVideo: boolean): ContentFinding[] {
  const { caption, options } = content;
  if (!isDraft(content)) {
    return isVideo
      ? ignored(options, ['auto_add_music', 'photo_cover_index'], 'TikTok supports this for photos only')
      : ignored(options, ['disable_duet', 'disable_stitch'], 'TikTok supports this for videos only');
  }
  const unsent = ignored(options, OF_POSTS, 'For a draft, this is chosen in the TikTok app');
  if (!isVideo) return unsent;
  const message = 'TikTok does not accept text with the draft of a video; the caption is not sent. Write it in the TikTok app.';
  const text = caption === '' ? [] : [{ rule: 'ignored', field: 'caption', limit: 0, value: 1, message } as const];
  return [...text, ...unsent, ...ignored(options, ['photo_cover_index'], 'TikTok supports this for photos only')];
}
