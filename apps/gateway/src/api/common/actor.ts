import { z } from 'zod';

/** Who did something. */
export const actor = z
  .object({
    type: z.string().meta({ description: 'key, user, system (an operator) or anonymous.', example: 'user' }),
    id: z.string().nullable().meta({ description: 'The id of the key or user.' }),
    name: z.string().nullable().meta({ description: 'The name of the key or user at that time.' }),
  })
  .meta({ id: 'Actor' });

/** @param written `key:<id>`, `user:<id>`, `system:<process>`, `anonymous` */
export function toActor(written: string, name: string | undefined): z.input<typeof actor> {
  const [type = '', id] = written.split(':');
  return { type, id: type === 'system' ? null : (id ?? null), name: name ?? null };
}
