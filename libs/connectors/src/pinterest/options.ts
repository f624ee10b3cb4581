import { z } from 'zod';
import { mediaFit } from '../media-fit.ts';

const id = z.string().regex(/^\d{1,32}$/, 'must be the number that Pinterest knows it by');

/** What Pinterest needs beyond the contract's fields: a pin stands on a board. */
export const options = z.strictObject({
  board_id: id.optional().describe('The board that the pin goes to, by its number. Needed: here, or in the settings of the account.'),
  board_section_id: id.optional().describe('A section of that board, by its number.'),
  ...mediaFit,
});
