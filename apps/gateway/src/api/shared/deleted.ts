import { z } from 'zod';

/** What every deletion answers with. */
export const deleted = z.object({ status: z.literal('deleted') }).meta({ id: 'Deleted', example: { status: 'deleted' } });

/** The answer of a handler that deleted what it should. */
export const DELETED = { body: { status: 'deleted' } } as const;
