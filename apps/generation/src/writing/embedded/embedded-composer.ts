import type { Composer, Written } from '../composer.ts';
import { writeCaptions } from './write-captions.ts';
import { findIdeas } from './find-ideas.ts';
import { writeCopy } from './write-copy.ts';

const free = <T>(value: T): Written<T> => ({ value, usage: { requests: 0, inputTokens: 0, outputTokens: 0 } });

/**
 * Writes without a language model: it picks the sentences of a source that say most, and puts them together by templates per tone and language. It
 * states nothing that the source or the business does not; the same input gives the same texts.
 */
export const embeddedComposer: Composer = {
  name: 'embedded',
  ideas: async (of) => free(await findIdeas(of)),
  copy: async (of) => free(await writeCopy(of)),
  captions: async (of) => free(await writeCaptions(of)),
};
