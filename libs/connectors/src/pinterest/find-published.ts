import type { Content, Publishing } from '../connector.ts';
import { at, stringAt, unreadable } from '../calls/fields.ts';
import { sameText } from '../text/same-text.ts';
import { searchNewest } from '../search-newest.ts';
import { SEARCH_SIZE } from './limits.ts';
import { pinterestCall } from './pinterest-call.ts';
import { readProgress } from './progress.ts';
import { boardOf } from './publish.ts';
import { withZone } from './times.ts';

/** Reads the newest pins of the board, or of its section. Pinterest cannot prove that a pin was not created. */
export const findPublished: Publishing['findPublished'] = async (call, content, state, committedAfter) => {
  const board = boardOf(content.options);
  if (!board) return { proof: 'none', candidates: [] };
  const section = board.board_section_id === undefined ? '' : `/sections/${board.board_section_id}`;
  const path = `/boards/${board.board_id}${section}/pins`;
  const candidates = await searchNewest<string>(committedAfter, {
    async read(bookmark) {
      const response = await pinterestCall(call, { method: 'GET', path, query: { page_size: SEARCH_SIZE, bookmark } });
      const pins = at(response, 'items');
      if (!Array.isArray(pins)) throw unreadable('no items in the response');
      return { entries: pins as unknown[], next: stringAt(response, 'bookmark') };
    },
    madeAt: (pin) => withZone(stringAt(pin, 'created_at')),
    candidate(pin) {
      const pinId = stringAt(pin, 'id');
      return pinId !== undefined && isOurs(content, pin) ? { publishId: pinId, state: { ...readProgress(state), pinId } } : undefined;
    },
  });
  return { proof: 'none', candidates };
};

function isOurs({ caption, title, link, media }: Content, pin: unknown): boolean {
  const isVideo = stringAt(pin, 'media', 'media_type') === 'video';
  return (
    isVideo === (media[0]?.type === 'video') &&
    sameText(title ?? '', stringAt(pin, 'title') ?? '') &&
    sameText(caption, stringAt(pin, 'description') ?? '') &&
    comparable(link) === comparable(stringAt(pin, 'link'))
  );
}

/** URLs may come back with a trailing slash added or removed. */
function comparable(link: string | undefined): string {
  return (link ?? '').replace(/\/$/, '');
}
