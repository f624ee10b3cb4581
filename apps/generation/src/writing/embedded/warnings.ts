import type { Source } from '../../input/source.ts';
import type { Brief } from '../composer.ts';
import { materialOf } from './material.ts';
import { hasPhrases, knowsVoice, TONES } from './phrases.ts';

/** The parts of a request that the composer cannot follow, as sentences for the caller. */
export async function warningsFor({ source, brief, count }: { source: Source; brief: Brief; count: number }): Promise<string[]> {
  const { language, sentences, isOwn } = await materialOf(source, brief);
  return [voiceWarning(brief.voice, language), sourceWarning(source, sentences.filter(isOwn).length, count)].filter(
    (warning) => warning !== undefined,
  );
}

function voiceWarning(voice: string, language: string): string | undefined {
  if (voice.trim() === '') return undefined;
  if (!hasPhrases(language)) return `The embedded composer has no phrases in the language "${language}", so voice has no effect.`;
  if (knowsVoice(voice)) return undefined;
  return `The embedded composer does not know this voice, so the posts have a plain one. It knows: ${TONES.join(', ')}.`;
}

function sourceWarning({ kind }: Source, own: number, count: number): string | undefined {
  const name = kind === 'website' ? 'website' : kind === 'idea' ? 'idea' : 'text';
  if (own === 0) return `The ${name} has no sentence that can be used, so the posts are about the description of the business.`;
  // From an idea, posts are variations.
  if (kind === 'idea' || own >= count) return undefined;
  const sentences = own === 1 ? 'one sentence' : `${own} sentences`;
  return `The ${name} has ${sentences} for ${count} posts, so some posts are alike. A longer text gives more different posts.`;
}
