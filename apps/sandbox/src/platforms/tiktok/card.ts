import type { Card } from '../card.ts';
import { authorOf, avatar, gallery, mediaOf, paragraph } from '../card.ts';
import { escape } from '../html-page.ts';
import { linkedText } from '../linked-text.ts';

/** Dark and upright, with the words over the lower end of the video or the photos. Addresses in captions are no links there. */
export const tiktokCard: Card = {
  shows: ['draft'],
  draw(post, world) {
    const author = authorOf(world, post);
    const several = mediaOf(world, post).length > 1;
    const caption = linkedText(post.text, {
      hashtag: (tag) => `https://www.tiktok.com/tag/${tag}`,
      mention: (username) => `https://www.tiktok.com/@${username}`,
      addresses: false,
    });
    const media =
      gallery(world, post, `tall${several ? ' strip' : ''}`) || '<div class="media tall n1"><div class="nothing">nothing yet</div></div>';
    return `<div class="screen">${media}${post.details['draft'] === true ? '<span class="draft">Draft</span>' : ''}
<div class="side" aria-hidden="true">${avatar(author.name)}<span>♥</span><span>…</span><span>↪</span></div>
<div class="over"><strong>@${escape(author.username)}</strong>${paragraph('text', caption)}<span class="sound">♫ original sound – ${escape(author.name)}</span></div></div>`;
  },
};
