import type { Card } from '../../pages/card.ts';
import { actions, authorOf, byline, gallery, hostOf, linkCard, paragraph, shortTime } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText } from '../../pages/linked-text.ts';

/** The text, then its images, a video with its title, or a link card. */
export const facebookCard: Card = {
  style: `
.facebook .badge { background: #1666d8; }
.facebook .avatar { background: #1666d8; }`,
  shows: ['title'],
  draw(post, world) {
    const author = authorOf(world, post);
    const text = linkedText(post.text, { hashtag: (tag) => `https://www.facebook.com/hashtag/${tag}`, addresses: true });
    const media = gallery(world, post, post.kind === 'reel' ? 'tall' : 'grid');
    const title = typeof post.details['title'] === 'string' ? escape(post.details['title']) : '';
    return `${byline(author, escape(author.name), `${escape(shortTime(post.created_at))} · public`)}
${paragraph('text', text)}${media}${paragraph('title', title)}${post.link === null ? '' : linkCard({ href: post.link, title: hostOf(post.link), description: post.link })}
${actions('Like', 'Comment', 'Share')}`;
  },
};
