import type { CheckedContent } from './content-finding.ts';
import type { PlatformRules } from './platform-rules.ts';

/** What a rule may be about. */
export type RuleSubject = 'text' | 'images' | 'videos' | 'options';

const TEXTS = ['caption', 'title', 'first_comment', 'link'];

/** The platform's own page about the rule that a finding in this field is about; its page about posts where the rule has none of its own. */
export function sourceOf(
  { source, sources = {}, optionSources = {} }: PlatformRules,
  { media }: Pick<CheckedContent, 'media'>,
  field: string,
): string {
  const [name = '', index = 0] = field.split('.');
  if (TEXTS.includes(name)) return sources.text ?? source;
  if (name === 'options') return optionSources[index] ?? sources.options ?? source;
  const isVideo = name === 'media' ? media[Number(index)]?.type === 'video' : true;
  return (isVideo ? sources.videos : sources.images) ?? source;
}
