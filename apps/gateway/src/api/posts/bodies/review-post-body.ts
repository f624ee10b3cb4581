import { z } from 'zod';
import { text } from '../../../text/text.ts';

export const reviewPostBody = z
  .strictObject({
    decision: z.enum(['approve', 'reject']).meta({ description: 'approve sets the status to DRAFT, reject to REJECTED.' }),
    note: text(5000).nullish().meta({ description: 'A note for the author, shown as review_note until the next review.' }),
  })
  .meta({ id: 'ReviewPost' });
