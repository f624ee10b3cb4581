import type { Options } from './connector.ts';
import type { CheckedContent, ContentFinding } from './content-finding.ts';
import { limitsFor, type Limits } from './limits.ts';
import type { CoverField, PlatformRules } from './platform-rules.ts';

/** What is known of a post apart from what it says. */
export interface UnsentContext {
  /** Also where nobody knows yet what they are. */
  readonly hasMedia: boolean;
  /** Whether the link was given for this platform alone. */
  readonly isOwnLink: boolean;
  /** The covers that were given for this platform alone. */
  readonly ownCovers: readonly CoverField[];
  /** Its own options, apart from its account's settings. */
  readonly ownOptions: Options;
}

/** What of a post is not sent, or not shown, though the post is: for the caller to know, and no reason to refuse it. */
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
    found('unsupported', 'first_comment', 'This platform takes no first comment: it is not sent.');
  } else if (firstComment && noComments) {
    found('unsupported', 'first_comment', 'Such a post takes no comments: the first comment is not sent.');
  }
  if (link && showsLink === 'without_media' && hasMedia) {
    found('ignored', 'link', 'This platform shows a link only in a post without pictures and videos: it is not sent.');
  } else if (link && !showsLink && isOwnLink) {
    // The post's own link is meant for the platforms that show it.
    found('ignored', 'link', `This platform shows no link: it is not sent.${howToShowLink(limits, hasMedia)}`);
  }
  if (content.media.some(({ type }) => type === 'video')) {
    for (const field of ownCovers.filter((one) => !covers.includes(one))) found('ignored', field, NO_COVER[field]);
  }
  const isOwn = (field: string) => !field.startsWith('options.') || ownOptions[field.split('.')[1] ?? ''] !== undefined;
  return [...findings, ...(warn?.(content, hasMedia) ?? []).filter(({ field }) => isOwn(field))];
}

/** The option that shows it, where there is one. */
function howToShowLink({ variants = [] }: Limits, hasMedia: boolean): string {
  const variant = variants.find(({ limits: { showsLink } }) => showsLink === 'always' || (showsLink && !hasMedia));
  return variant ? ` The option ${Object.keys(variant.when).join(', ')} shows it.` : '';
}

const NO_COVER: Readonly<Record<CoverField, string>> = {
  cover_media_id: 'This platform takes no picture as the cover of a video: it is not sent.',
  video_cover_timestamp_ms: 'This platform takes no time of a frame as the cover of a video: it is not sent.',
};
