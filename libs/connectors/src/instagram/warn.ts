import type { Warn } from '../checks/check-content.ts';
import { untitled } from '../checks/content-finding.ts';

/** An Instagram post has only a caption. */
export const warn: Warn = ({ title }) => untitled(title, 'Instagram has no titles');
