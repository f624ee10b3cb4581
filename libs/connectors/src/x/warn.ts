import type { Warn } from '../check-content.ts';
import { untitled } from '../content-finding.ts';

/** An X post has only a text. */
export const warn: Warn = ({ title }) => untitled(title, 'X has no titles');
