import { checkConversions, checkUnsent, type CheckedContent, type ContentFinding, type PlatformRules } from '@fanfare/connectors/preflight';
import type { PlatformContent } from './platform-content.ts';

/** What a platform accepts but shows differently. */
type Warning = ContentFinding & { readonly isWarning: true };

/** Warnings about content that is changed before it is sent, or not sent. */
export function warningsOf(onPlatform: PlatformContent, content: CheckedContent, rules: PlatformRules): Warning[] {
  return [...checkConversions(rules, content), ...unsentOf(onPlatform, content, rules)].map((finding) => ({ ...finding, isWarning: true }));
}

function unsentOf(
  { media: { known }, isOwnLink, ownCovers, options }: PlatformContent,
  content: CheckedContent,
  rules: PlatformRules,
): ContentFinding[] {
  const hasMedia = known === undefined || known.length > 0;
  return checkUnsent(rules, content, { hasMedia, isOwnLink, ownCovers, ownOptions: options });
}
