import type { z } from 'zod';
import { exampleUser } from '../me/user-example.ts';
import type { signedIn } from './signed-in.ts';

export const exampleSignedIn: z.input<typeof signedIn> = {
  access_token: 'eyJhbGciOiJFZERTQSJ9.…',
  token_type: 'Bearer',
  expires_in: 600,
  refresh_token: 'frt_…',
  user: exampleUser,
};
