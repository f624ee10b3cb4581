import type { Card } from '../../pages/card.ts';
import { authorOf, avatar, gallery, mediaOf, paragraph } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText } from '../../pages/linked-text.ts';

/** Dark and upright, with the text over the lower end of the video or the photos. URLs in captions are not links there. */
export const tiktokCard: Card = {
  style: `
.tiktok .badge { background: #0b7285; }
.tiktok .avatar { background: #0b7285; }
.as-tiktok + .chosen { padding-top: 10px; }
.card .screen { position: relative; color: #fff; background: #000; } .screen a { color: #fff; font-weight: 600; } .screen .media { background: #000; } .screen .nothing { color: #aaa; background: #161823; }
.screen .over { position: absolute; inset: auto 0 0; padding: 56px 64px 14px 14px; background: linear-gradient(transparent, rgb(0 0 0 / .8)); text-shadow: 0 1px 2px #000; pointer-events: none; } .screen .over a { pointer-events: auto; } .screen .over .text { max-height: 9em; padding: 4px 0 6px; overflow: hidden; } .screen .sound { font-size: .82rem; }
.screen:has(video) .over { bottom: 54px; background: none; }
.screen .side { position: absolute; right: 10px; bottom: 90px; display: grid; gap: 12px; justify-items: center; font-size: 1.5rem; line-height: 1; text-shadow: 0 1px 3px #000; pointer-events: none; } .screen .side .avatar { font-size: 1rem; border: 2px solid #fff; }
.screen .draft { position: absolute; top: 12px; left: 12px; padding: 3px 10px; border-radius: 6px; color: #161823; background: #fff; font-size: .85rem; font-weight: 700; }`,
  shows: ['draft'],
  // Part of the text that is already shown.
  words: { title: (title: string, { text }) => (text.startsWith(title) ? null : title) },
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
