import type { Warn } from '../check-content.ts';
import { untitled } from '../content-finding.ts';

/** A post on X has a text alone. */
export const warn: Warn = ({ title }) => untitled(title, 'X has no titles');
