import type { Composer, Written } from '../composer.ts';
import { writeCaptions } from './write-captions.ts';
import { findIdeas } from './find-ideas.ts';
import { writeCopy } from './write-copy.ts';

const free = <T>(value: T): Written<T> => ({ value, usage: { requests: 0, inputTokens: 0, outputTokens: 0 } });

/**
 * Writes without a language model: it selects the most relevant sentences of a source, and combines them with phrases for the tone and language. It states
 * only facts of the source and the business. The same input gives the same texts.
 */
export const embeddedComposer: Composer = {
  name: 'embedded',
  ideas: async (of) => free(await findIdeas(of)),
  copy: async (of) => free(await writeCopy(of)),
  captions: async (of) => free(await writeCaptions(of)),
};
