import type { Warn } from '../checks/check-content.ts';
import { untitled } from '../checks/content-finding.ts';

/** An X post has only a text. */
export const warn: Warn = ({ title }) => untitled(title, 'X has no titles');
