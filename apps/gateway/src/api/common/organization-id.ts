import { isUuid } from '@fanfare/runtime';
import { z } from 'zod';

/** Names the organization, for users who belong to several. */
export const organizationId = () =>
  z
    .string({ error: 'must be the id of one of your organizations' })
    .refine(isUuid, 'must be the id of one of your organizations')
    .optional()
    .meta({ format: 'uuid', description: 'The organization. Required only for users who belong to several.' });
