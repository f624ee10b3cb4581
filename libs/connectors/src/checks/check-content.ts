import { checkMedia } from './check-media.ts';
import { checkText, textLimitOf } from './check-text.ts';
import type { AccountKind, CheckCombination, CheckedContent, ContentFinding } from './content-finding.ts';
import { limitsFor, type Limits } from '../limits.ts';

export { textLimitOf } from './check-text.ts';
export {
  unsupported,
  type AccountKind,
  type CheckCombination,
  type CheckedContent,
  type CheckedMedia,
  type ContentFinding,
  type Warn,
} from './content-finding.ts';

/**
 * Checks a post against the limits that the request builder uses. No findings means that, as far as we know, the platform accepts it.
 * @param account its kind, by the platform's `accountKind`, if the account is known
 */
export function checkContent(
  { limits: all, check }: { readonly limits: Limits; readonly check?: CheckCombination | undefined },
  content: CheckedContent,
  account?: AccountKind,
): ContentFinding[] {
  const limits = limitsFor(all, content.options);
  return [
    ...checkText('caption', content.caption, textLimitOf(limits, content)),
    ...(content.title && limits.title ? checkText('title', content.title, limits.title) : []),
    ...(content.firstComment && limits.comment ? checkText('first_comment', content.firstComment, limits.comment) : []),
    ...(content.link && limits.link ? checkText('link', content.link, limits.link) : []),
    ...checkPresence(limits, content),
    ...checkMedia(limits, content.media),
    ...(check?.(content, account) ?? []),
  ];
}

function checkPresence(limits: Limits, { caption, title, link, media }: CheckedContent): ContentFinding[] {
  const missing = (field: string, message: string): ContentFinding => ({ rule: 'required', field, limit: 1, value: 0, message });
  const untitled = limits.needsTitle && !title?.trim() && caption.trim() === '';
  const findings = untitled ? [missing('title', 'A title is required. Set a title, or a caption to use as the title.')] : [];
  if (media.length > 0) return findings;
  if (!limits.textOnly) return [...findings, missing('media', `${limits.images.max > 0 ? 'An image or a' : 'A'} video is required.`)];
  const empty = caption.trim() === '' && !(link && limits.linkAlone) && !limits.optionsAlone;
  return empty ? [...findings, missing('caption', 'A caption, an image or a video is required.')] : findings;
}
