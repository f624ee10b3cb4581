import { z } from 'zod';
import { ACCESS_TOKEN_SECONDS, type SignedIn } from '../../accounts/index.ts';
import { user, userFromStore } from '../me/user.ts';

/** A token response (RFC 6749, 5.1). */
export const signedIn = z
  .object({
    access_token: z.string().meta({ description: 'The access token. Send it as `Authorization: Bearer …`.' }),
    token_type: z.literal('Bearer'),
    expires_in: z.int().meta({ description: 'The lifetime of the access token in seconds.', example: ACCESS_TOKEN_SECONDS }),
    refresh_token: z.string().meta({
      description:
        'Gets the next tokens from `POST /api/auth/refresh`. It works once and is valid for 30 days; the session is valid for 90 days in total.',
    }),
    user,
  })
  .meta({ id: 'SignedIn' });

export const toSignedIn = ({ accessToken, refreshToken, user: document }: SignedIn): z.input<typeof signedIn> => ({
  access_token: accessToken,
  token_type: 'Bearer',
  expires_in: ACCESS_TOKEN_SECONDS,
  refresh_token: refreshToken,
  user: userFromStore(document),
});
