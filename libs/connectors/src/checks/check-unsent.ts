import type { Options } from '../connector.ts';
import type { CheckedContent, ContentFinding } from './content-finding.ts';
import { limitsFor, type Limits } from '../limits.ts';
import type { CoverField, PlatformRules } from '../platform-rules.ts';

/** What the check needs to know besides the content. */
export interface UnsentContext {
  /** True even if their details are not known yet. */
  readonly hasMedia: boolean;
  /** Whether the link was given for this platform alone. */
  readonly isOwnLink: boolean;
  /** The covers that were given for this platform alone. */
  readonly ownCovers: readonly CoverField[];
  /** Its own options, apart from its account's settings. */
  readonly ownOptions: Options;
}

/** Warnings about parts of a post that are not sent or not shown. They do not block the post. */
export function checkUnsent(
  { limits, capabilities, covers = [], warn }: Pick<PlatformRules, 'limits' | 'capabilities' | 'covers' | 'warn'>,
  content: CheckedContent,
  { hasMedia, isOwnLink, ownCovers, ownOptions }: UnsentContext,
): ContentFinding[] {
  const { link, firstComment, options } = content;
  const { showsLink, noComments } = limitsFor(limits, options);
  const findings: ContentFinding[] = [];
  const found = (rule: ContentFinding['rule'], field: string, message: string) =>
    findings.push({ rule, field, limit: 0, value: 1, message });
  if (firstComment && !capabilities.includes('first_comment')) {
    found('unsupported', 'first_comment', 'This platform does not support first comments; the first comment is not sent.');
  } else if (firstComment && noComments) {
    found('unsupported', 'first_comment', 'This kind of post cannot have comments; the first comment is not sent.');
  }
  if (link && showsLink === 'without_media' && hasMedia) {
    found('ignored', 'link', 'This platform shows links only in posts without images and videos; the link is not sent.');
  } else if (link && !showsLink && isOwnLink) {
    // A link of the whole post is for the platforms that show it, so only an override's link is reported.
    found('ignored', 'link', `This platform does not show links; the link is not sent.${howToShowLink(limits, hasMedia)}`);
  }
  if (content.media.some(({ type }) => type === 'video')) {
    for (const field of ownCovers.filter((one) => !covers.includes(one))) found('ignored', field, NO_COVER[field]);
  }
  const isOwn = (field: string) => !field.startsWith('options.') || ownOptions[field.split('.')[1] ?? ''] !== undefined;
  return [...findings, ...(warn?.(content, hasMedia) ?? []).filter(({ field }) => isOwn(field))];
}

/** Names the option that shows the link, if there is one. */
function howToShowLink({ variants = [] }: Limits, hasMedia: boolean): string {
  const variant = variants.find(({ limits: { showsLink } }) => showsLink === 'always' || (showsLink && !hasMedia));
  return variant ? ` To show it, set the option ${Object.keys(variant.when).join(', ')}.` : '';
}

const NO_COVER: Readonly<Record<CoverField, string>> = {
  cover_media_id: 'This platform does not accept an image as the cover of a video; cover_media_id is not sent.',
  video_cover_timestamp_ms: 'This platform does not accept a frame as the cover of a video; video_cover_timestamp_ms is not sent.',
};
