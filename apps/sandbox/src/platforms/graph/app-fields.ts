import { z } from 'zod';
import type { PretendApp } from '../../config.ts';

/** Of apps of Facebook and Instagram. */
export const appFields = {
  /** Facebook's "Require app secret" setting. */
  require_appsecret_proof: z.boolean().default(true),
  /** The callbacks for a person who removes the app, or requests deletion of their data. */
  deauthorize_url: z.url().optional(),
  data_deletion_url: z.url().optional(),
};

const fields = z.object(appFields);
export const fieldsOfApp = (app: PretendApp) => fields.parse(app);
