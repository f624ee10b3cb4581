import type { Warn } from '../check-content.ts';
import { untitled } from '../content-finding.ts';

/** A post on Instagram has a caption alone. */
export const warn: Warn = ({ title }) => untitled(title, 'Instagram has no titles');
