import type { CheckedContent, Warn } from '../checks/check-content.ts';
import { ignored, untitled } from '../checks/content-finding.ts';

/**
 * A card requires a link and a post without images and videos; another finding reports that the link is not sent with them. A title is that of the card, or
 * of the only image or video.
 */
export const warn: Warn = (content, hasMedia) => [
  ...(hasTitle(content, hasMedia) ? [] : untitled(content.title, 'On LinkedIn, only link cards, single images and videos have titles')),
  ...aboutCard(content, hasMedia),
];

function hasTitle({ link, media, options }: CheckedContent, hasMedia: boolean): boolean {
  return hasMedia ? media.length < 2 : link !== undefined && options?.['article'] === true;
}

const aboutCard: Warn = ({ link, options }, hasMedia) => {
  if (!link) return ignored(options, ['article', 'article_description'], 'There is no link to show as a card');
  return hasMedia || !options?.['article'] ? ignored(options, ['article_description'], 'The link is not shown as a card') : [];
};
