import { z } from 'zod';
import { mediaFit } from '../checks/media-fit.ts';

const id = z.string().regex(/^\d{1,32}$/, 'must be a numeric Pinterest ID');

/** Pinterest's options beyond the common fields of a post: a pin belongs to a board. */
export const options = z.strictObject({
  board_id: id.optional().describe('Numeric ID of the board for the pin. Required, here or in the settings of the account.'),
  board_section_id: id.optional().describe('Numeric ID of a section of that board.'),
  ...mediaFit,
});
