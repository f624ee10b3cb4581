import type { Context } from '../../context.ts';
import type { SessionDocument } from '../store/sessions.ts';
import type { UserDocument } from '../store/users.ts';

/** The result of a sign-in. */
export interface SignedIn {
  readonly user: UserDocument;
  readonly sessionId: string;
  readonly accessToken: string;
  readonly refreshToken: string;
}

export async function signedIn({ identity }: Pick<Context, 'identity'>, user: UserDocument, session: SessionDocument): Promise<SignedIn> {
  const accessToken = await identity.accessTokens.issue({ userId: user._id, sessionId: session._id });
  return { user, sessionId: session._id, accessToken, refreshToken: identity.refreshTokens.of(session) };
}
