import {
  asConverted,
  checkContent,
  checkUnsent,
  conversionFor,
  type CheckedContent,
  type ContentFinding,
  type PlatformRules,
} from '@fanfare/connectors/preflight';
import type { Said } from './said-to.ts';

/** What a platform takes, and shows otherwise than it was given. */
export type Warning = Omit<ContentFinding, 'rule'> & { readonly rule: string; readonly isWarning: true };

/** What of a post is changed before it is sent, and what is left out. */
export function warningsOf(said: Said, content: CheckedContent, rules: PlatformRules): Warning[] {
  return [...conversionsOf(content, rules), ...unsentOf(said, content, rules)];
}

/** Each with the first limit that makes it necessary: what is found in the media as it is, and no more in what is made of it. */
function conversionsOf(content: CheckedContent, rules: PlatformRules): Warning[] {
  const { options } = content;
  return content.media.flatMap((one, index) => {
    const conversion = conversionFor(rules.limits, one, options);
    if (!conversion) return [];
    const left = aboutAlone(asConverted(rules.limits, one, options), content, rules).map(keyOf);
    const reasons = aboutAlone(one, content, rules).filter((finding) => !left.includes(keyOf(finding)));
    const [first] = reasons;
    if (!first) return [];
    const why = reasons.map(({ message }) => message).join(' ');
    const padding = conversion.background === undefined ? '' : `, padded with ${conversion.background} where its ratio needs it,`;
    const message = `It is not taken as it is: ${why} ${conversion.mimeType}${padding} is made of it, and sent.`;
    return [{ rule: 'converted', field: `media.${index}`, limit: first.limit, value: first.value, message, isWarning: true } as const];
  });
}

const keyOf = ({ rule, limit }: ContentFinding) => `${rule} ${limit}`;

/** What is wrong with one media itself, whatever it stands beside. */
function aboutAlone(media: CheckedContent['media'][number], content: CheckedContent, rules: PlatformRules): ContentFinding[] {
  return checkContent(rules, { ...content, media: [media] }).filter(({ field, part }) => field === 'media.0' && part === undefined);
}

function unsentOf({ media: { known }, isOwnLink, ownCovers, options }: Said, content: CheckedContent, rules: PlatformRules): Warning[] {
  const hasMedia = known === undefined || known.length > 0;
  const findings = checkUnsent(rules, content, { hasMedia, isOwnLink, ownCovers, ownOptions: options });
  return findings.map((finding) => ({ ...finding, isWarning: true }));
}
