import type { Card } from '../card.ts';
import { authorOf, avatar, gallery, hostOf, mediaOf, paragraph } from '../card.ts';
import { escape } from '../html-page.ts';
import { linkedText, outwardLink } from '../linked-text.ts';
import { boards } from './state.ts';

/** A pin: the picture in its own proportions, where it leads, title, description and board. */
export const pinterestCard: Card = {
  shows: ['title'],
  draw(post, world) {
    const author = authorOf(world, post);
    const { title, board_id, board_section_id } = post.details as {
      title?: string | null;
      board_id?: string;
      board_section_id?: string | null;
    };
    const board = boards(world).get(board_id ?? '');
    const section = board?.sections.find((one) => one.id === board_section_id);
    const text = linkedText(post.text, { hashtag: (tag) => `https://www.pinterest.com/search/pins/?q=%23${tag}`, addresses: true });
    const visit = post.link === null ? '' : outwardLink(post.link, `${hostOf(post.link)} ↗`, 'visit');
    return `<div class="pin">${gallery(world, post, mediaOf(world, post).length > 1 ? 'strip' : 'as-is')}${visit}<span class="save" aria-hidden="true">Save</span></div>
${title ? `<h2>${escape(title)}</h2>` : ''}${paragraph('text', text)}
<p class="board">${avatar(author.name)}<span><strong>${escape(author.name)}</strong>${board ? ` saved to <strong>${escape([board.name, section?.name].filter(Boolean).join(' / '))}</strong>` : ''}</span></p>`;
  },
};
