import type { Card } from '../../pages/card.ts';
import { authorOf, byline, gallery, mediaOf, paragraph, shortTime } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText } from '../../pages/linked-text.ts';

const shortMs = 180_000;

/** The player, the title, the channel and the description; portrait and square videos of at most three minutes are Shorts. */
export const youtubeCard: Card = {
  style: `
.youtube .badge { background: #c00; }
.youtube .avatar { background: #c00; }
.youtube .short { padding: 1px 7px; border-radius: 6px; color: #fff; background: #c00; font-size: .7rem; vertical-align: 2px; }`,
  shows: ['title'],
  draw(post, world) {
    const author = authorOf(world, post);
    const { title = '' } = post.details as { title?: string };
    const [video] = mediaOf(world, post);
    const isShort = video !== undefined && video.height >= video.width && (video.duration_ms ?? 0) <= shortMs;
    const text = linkedText(post.text, {
      hashtag: (tag) => `https://www.youtube.com/hashtag/${tag}`,
      mention: (username) => `https://www.youtube.com/@${username}`,
      addresses: true,
    });
    return `${gallery(world, post, isShort ? 'tall' : 'wide') || '<div class="media wide n1"><div class="nothing">no video</div></div>'}
<h2>${escape(title)}${isShort ? ' <span class="short">Short</span>' : ''}</h2>
${byline(author, escape(author.name), `@${escape(author.username)}`)}
<div class="described"><strong>0 views · ${escape(shortTime(post.created_at))}</strong>${paragraph('text', text)}</div>`;
  },
};
