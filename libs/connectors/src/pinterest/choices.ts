import type { Call, Choice, ChoicePage, Connector, ListChoices } from '../connector.ts';
import { PlatformFailure } from '../calls/failure.ts';
import { at, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { CHOICES_PAGE_SIZE } from './limits.ts';
import { pinterestCall } from './pinterest-call.ts';
import { boardOf } from './publish.ts';

/** The account's own boards and those that it is a collaborator of. */
const listBoards: ListChoices = (call, { cursor }) => list(call, '/boards', cursor);

const listSections: ListChoices = async (call, { given, cursor }) => {
  const board = boardOf(given);
  if (!board) {
    const message = 'Send the id of the board whose sections to list: ?board_id=….';
    throw new PlatformFailure('validation', message, { effect: 'not_sent', detail: { param: 'board_id' } });
  }
  return list(call, `/boards/${board.board_id}/sections`, cursor);
};

export const choices = { board_id: listBoards, board_section_id: listSections } satisfies Connector['choices'];

async function list(call: Call, path: string, bookmark: string | undefined): Promise<ChoicePage> {
  const page = await pinterestCall(call, { method: 'GET', path, query: { page_size: CHOICES_PAGE_SIZE, bookmark } });
  const items = at(page, 'items');
  if (!Array.isArray(items)) throw unreadable('no items in the response');
  const next = stringAt(page, 'bookmark');
  return { items: items.map(choice), ...(next !== undefined && { next }) };
}

function choice(item: unknown): Choice {
  const value = requiredAt(item, 'id');
  return { value, label: stringAt(item, 'name') ?? value };
}
