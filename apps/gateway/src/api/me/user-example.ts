import type { z } from 'zod';
import { EXAMPLE_IDS } from '../../http/openapi/example-ids.ts';
import type { user } from './user.ts';

/** The owner of the bakery. */
export const exampleUser: z.input<typeof user> = { id: EXAMPLE_IDS.user_id, email: 'ada@example.com', name: 'Ada Baker' };
