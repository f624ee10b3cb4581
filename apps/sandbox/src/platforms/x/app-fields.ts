import { z } from 'zod';
import type { PretendApp } from '../../config.ts';

export const appFields = {
  /** A confidential client has to send its secret as Basic credentials. */
  confidential: z.boolean().default(true),
};

const fields = z.object(appFields);
export const fieldsOfApp = (app: PretendApp) => fields.parse(app);
