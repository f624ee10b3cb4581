import { z } from 'zod';
import type { PretendApp } from '../../config.ts';

export const appFields = {
  /** The verified URL prefixes from which photos may be pulled. Empty: any. */
  url_prefixes: z.array(z.url()).default([]),
  /** An app that is not audited can only post privately. */
  audited: z.boolean().default(true),
};

const fields = z.object(appFields);
export const fieldsOfApp = (app: PretendApp) => fields.parse(app);
