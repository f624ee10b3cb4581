import type { Warn } from '../check-content.ts';
import { untitled } from '../content-finding.ts';

/** An Instagram post has only a caption. */
export const warn: Warn = ({ title }) => untitled(title, 'Instagram has no titles');
