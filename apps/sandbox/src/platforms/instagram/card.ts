import type { Card } from '../../pages/card.ts';
import { actions, authorOf, byline, gallery, mediaOf, paragraph } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText, outwardLink } from '../../pages/linked-text.ts';

const profile = (username: string) => `https://www.instagram.com/${username}/`;

/** The media first, several next to each other; then the caption, after the username. URLs in captions are not links there. */
export const instagramCard: Card = {
  style: `
.instagram .badge { background: #b3267f; }
.instagram .avatar { background: linear-gradient(45deg, #f09433, #dc2743 50%, #bc1888); }
.instagram header { padding: 9px 14px; }
.instagram .actions { justify-content: start; gap: 16px; border: 0; padding: 8px 0 2px; font-size: 1.15rem; }
.instagram .avatar { width: 32px; height: 32px; }
.instagram .user { color: inherit; font-weight: 600; }`,
  shows: [],
  words: {
    trial_params: ({ graduation_strategy }: { graduation_strategy: string }) =>
      graduation_strategy === 'MANUAL' ? 'shown to all manually' : 'shown to all when it performs well',
  },
  draw(post, world) {
    const author = authorOf(world, post);
    const media = mediaOf(world, post);
    const upright = media[0] && media[0].height > media[0].width;
    const shape = post.kind === 'reel' || post.kind === 'story' ? 'tall' : upright ? 'four-five' : 'square';
    const caption = linkedText(post.text, {
      hashtag: (tag) => `https://www.instagram.com/explore/tags/${tag}/`,
      mention: profile,
      addresses: false,
    });
    const dots = media.length > 1 ? `<p class="dots" aria-hidden="true">${'• '.repeat(media.length).trim()}</p>` : '';
    return `${byline(author, escape(author.username), post.kind === 'story' ? 'Story' : post.kind === 'reel' ? 'Reel' : escape(author.name))}
${gallery(world, post, `${shape}${media.length > 1 ? ' strip' : ''}`)}${dots}${actions('♡', '◯', '➤')}
${caption === '' ? '' : paragraph('text', `${outwardLink(profile(encodeURIComponent(author.username)), author.username, 'user')} ${caption}`)}`;
  },
};
