import type { CheckedContent } from './content-finding.ts';
import type { PlatformRules } from '../platform-rules.ts';

/** The subject of a rule. */
export type RuleSubject = 'text' | 'images' | 'videos' | 'options';

const TEXTS = ['caption', 'title', 'first_comment', 'link'];

/** The platform's documentation page for a finding in this field; by default its page about posts. */
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
