import type { Content } from '../../src/connector.ts';
import type { Answer } from '../scripted-platform.ts';

/** A post's whole way, with what the platform answers on a good day. */
export interface Flow {
  readonly name: string;
  readonly content: Content;
  readonly answers: readonly Answer[];
  /** Where the post's id comes only after the commit: what it is known by when that is given up. */
  readonly publishIdIfGivenUp?: string;
}
