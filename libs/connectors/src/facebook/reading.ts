import type { Reading } from '../reading/reading.ts';
import { readAccount } from './read-account.ts';
import { listPosts, readPosts } from './read-posts.ts';
import { readingRules } from './reading-rules.ts';

export const reading: Reading = { rules: readingRules, readAccount, listPosts, readPosts };
