import { checkContent } from './check-content.ts';
import type { CheckCombination, CheckedContent, ContentFinding } from './content-finding.ts';
import { asConverted, conversionFor } from './conversion.ts';
import type { Limits } from '../limits.ts';

/** An image or video that is converted before it is sent. */
export interface ConversionFinding extends ContentFinding {
  readonly rule: 'converted';
  /** Whether the conversion loses quality: fewer pixels, bytes, frames or frames per second. */
  readonly losesQuality: boolean;
}

type Rules = { readonly limits: Limits; readonly check?: CheckCombination | undefined };

/** The media of a post that are converted, each with the first limit that makes it necessary: a finding about the original that the converted media no longer has. */
export function checkConversions(rules: Rules, content: CheckedContent): ConversionFinding[] {
  const { options } = content;
  return content.media.flatMap((one, index) => {
    const conversion = conversionFor(rules.limits, one, options);
    if (!conversion) return [];
    const left = aboutAlone(asConverted(rules.limits, one, options), content, rules).map(keyOf);
    const reasons = aboutAlone(one, content, rules).filter((finding) => !left.includes(keyOf(finding)));
    const [first] = reasons;
    if (!first) return [];
    const why = reasons.map(({ message }) => message).join(' ');
    const padding = conversion.background === undefined ? '' : ` (padded with ${conversion.background} where its aspect ratio requires it)`;
    const message = `It is converted to ${conversion.mimeType}${padding} before it is sent. Reason: ${why}`;
    const losesQuality = (one.frames ?? 1) > 1 || reasons.some(({ rule }) => LESSENING.has(rule));
    return [{ rule: 'converted', field: `media.${index}`, limit: first.limit, value: first.value, message, losesQuality } as const];
  });
}

const LESSENING: ReadonlySet<ContentFinding['rule']> = new Set(['max_bytes', 'pixels', 'frame_rate']);

const keyOf = ({ rule, limit }: ContentFinding) => `${rule} ${limit}`;

/** Findings about one media itself, regardless of the others. */
function aboutAlone(media: CheckedContent['media'][number], content: CheckedContent, rules: Rules): ContentFinding[] {
  return checkContent(rules, { ...content, media: [media] }).filter(({ field, part }) => field === 'media.0' && part === undefined);
}
