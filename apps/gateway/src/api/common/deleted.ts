import { z } from 'zod';

/** The response of every deletion. */
export const deleted = z.object({ status: z.literal('deleted') }).meta({ id: 'Deleted', example: { status: 'deleted' } });

/** What a handler returns after a deletion. */
export const DELETED = { body: { status: 'deleted' } } as const;
