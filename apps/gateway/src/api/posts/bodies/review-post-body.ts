import { z } from 'zod';
import { text } from '../../../text/text.ts';

export const reviewPostBody = z
  .strictObject({
    decision: z.enum(['approve', 'reject']).meta({ description: 'approve makes the status DRAFT, reject REJECTED.' }),
    note: text(5000).nullish().meta({ description: 'For whoever wrote the post; shown as its review_note until the next review.' }),
  })
  .meta({ id: 'ReviewPost' });
