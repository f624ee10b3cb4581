import type { Options } from './connector.ts';
import type { CheckedContent, ContentFinding } from './content-finding.ts';
import { limitsFor } from './limits.ts';
import type { PlatformRules } from './platform-rules.ts';

/** What is known of a post apart from what it says. */
export interface UnsentContext {
  /** Also where nobody knows yet what they are. */
  readonly hasMedia: boolean;
  /** Whether the link was given for this platform alone. */
  readonly isOwnLink: boolean;
  /** Its own options, apart from its account's settings. */
  readonly ownOptions: Options;
}

/** What of a post is not sent, or not shown, though the post is: for the caller to know, and no reason to refuse it. */
export function checkUnsent(
  { limits, capabilities, warn }: Pick<PlatformRules, 'limits' | 'capabilities' | 'warn'>,
  content: CheckedContent,
  { hasMedia, isOwnLink, ownOptions }: UnsentContext,
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
    found('ignored', 'link', 'This platform shows no link: it is not sent.');
  }
  const isOwn = (field: string) => !field.startsWith('options.') || ownOptions[field.split('.')[1] ?? ''] !== undefined;
  return [...findings, ...(warn?.(content, hasMedia) ?? []).filter(({ field }) => isOwn(field))];
}
