import { z } from 'zod';

export const appFields = {
  /** The verified URL prefixes from which photos may be pulled. Empty: any. */
  url_prefixes: z.array(z.url()).default([]),
  /** An app that is not audited can only post privately. */
  audited: z.boolean().default(true),
};
