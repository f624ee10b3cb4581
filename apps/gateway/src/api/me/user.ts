import { z } from 'zod';
import type { UserDocument } from '../../accounts/index.ts';
import { displayName } from '../../text/text.ts';

/** The signed-in user. */
export const user = z
  .object({
    id: z.uuid(),
    email: z.string().meta({ format: 'email', example: 'ada@example.com' }),
    name: z.string().meta({ example: 'Ada Baker' }),
  })
  .meta({ id: 'User' });

export const userFromStore = ({ _id, email, name }: UserDocument): z.input<typeof user> => ({ id: _id, email, name });

/** The name of a person. */
export const personName = () => displayName(100).transform((name) => name.trim());

export const roleName = () => z.string().meta({ description: 'owner, admin, editor or viewer.', example: 'editor' });
