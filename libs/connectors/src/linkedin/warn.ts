import type { Warn } from '../check-content.ts';
import { ignored } from '../content-finding.ts';

/** A card takes a link, and a post without pictures and videos; that the link itself is left out beside them is told of the link. */
export const warn: Warn = ({ link, options }, hasMedia) => {
  if (!link) return ignored(options, ['article', 'article_description'], 'There is no link to show as a card');
  return hasMedia || !options?.['article'] ? ignored(options, ['article_description'], 'The link is not shown as a card') : [];
};
