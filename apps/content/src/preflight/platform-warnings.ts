import { checkConversions, checkUnsent, type CheckedContent, type ContentFinding, type PlatformRules } from '@fanfare/connectors/preflight';
import type { PlatformContent } from './platform-content.ts';

/** What a platform takes, and shows otherwise than it was given. */
type Warning = ContentFinding & { readonly isWarning: true };

/** What of a post is changed before it is sent, and what is left out. */
export function warningsOf(said: PlatformContent, content: CheckedContent, rules: PlatformRules): Warning[] {
  return [...checkConversions(rules, content), ...unsentOf(said, content, rules)].map((finding) => ({ ...finding, isWarning: true }));
}

function unsentOf(
  { media: { known }, isOwnLink, ownCovers, options }: PlatformContent,
  content: CheckedContent,
  rules: PlatformRules,
): ContentFinding[] {
  const hasMedia = known === undefined || known.length > 0;
  return checkUnsent(rules, content, { hasMedia, isOwnLink, ownCovers, ownOptions: options });
}
