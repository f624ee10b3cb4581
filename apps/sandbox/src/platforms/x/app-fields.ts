import { z } from 'zod';

export const appFields = {
  /** A confidential client has to send its secret as Basic credentials. */
  confidential: z.boolean().default(true),
};
