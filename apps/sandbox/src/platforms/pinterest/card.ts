import type { Card } from '../../pages/card.ts';
import { authorOf, avatar, gallery, hostOf, mediaOf, paragraph } from '../../pages/card.ts';
import { escape } from '../../pages/html-page.ts';
import { linkedText, outwardLink } from '../../pages/linked-text.ts';
import { boards } from './state.ts';

/** A pin: the uncropped image, its link, title, description and board. */
export const pinterestCard: Card = {
  style: `
.pinterest .badge { background: #c31220; }
.pinterest .avatar { background: #c31220; }
.pin { position: relative; margin: 12px 12px 0; overflow: hidden; border-radius: 16px; } .pin .media.as-is > * { height: auto; max-height: 640px; }
.pin .save { position: absolute; top: 10px; right: 10px; padding: 7px 14px; border-radius: 99px; color: #fff; background: #c31220; font-weight: 700; font-size: .88rem; pointer-events: none; }
.pin .visit { position: absolute; left: 10px; top: 10px; max-width: calc(100% - 100px); padding: 7px 12px; border-radius: 99px; overflow: hidden; color: #111; background: rgb(255 255 255 / .92); font-size: .82rem; font-weight: 600; text-decoration: none; text-overflow: ellipsis; white-space: nowrap; }
.board { display: flex; gap: 8px; align-items: center; margin: 0; padding: 6px 14px 12px; font-size: .88rem; } .board .avatar { width: 28px; height: 28px; font-size: .8rem; }`,
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
