import { DomainError } from '@fanfare/errors';
import { z } from 'zod';
import {
  clientOf,
  emailInput,
  findOrganization,
  findUserByEmail,
  invitationOf,
  newPassword,
  refresh,
  signIn as signInWith,
  signOut as endOwnSession,
  signUp as signUpFor,
  signUpInvited,
  triedPassword,
} from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { displayName, text } from '../../text/text.ts';
import { invitationToken } from '../invitations/invitation.ts';
import { exampleInvitation } from '../invitations/invitation-example.ts';
import { personName, roleName } from '../me/user.ts';
import { sessionIdOf } from '../sessions/session.ts';
import { outcome, withStatus } from '../common/outcome.ts';
import { timestamp } from '../common/timestamp.ts';
import { openPost } from './open-post.ts';
import { passwordRoutes } from './password-routes.ts';
import { signedIn, toSignedIn } from './signed-in.ts';
import { exampleSignedIn } from './signed-in-example.ts';

const signUp = route({
  ...openPost,
  path: '/api/auth/sign-up',
  operationId: 'sign_up',
  sdkMethod: 'auth.signUp',
  summary: 'Sign up',
  description:
    'With `invitation_token` and `password` you become a member at once (`active`): sign in. Without them, if registration is open, you get an email with a link (`confirmation_sent`) to confirm the address, set the password and create the organization `organization_name` (`POST /api/auth/email/verify`). If the address already has an account, the response is the same, and the email says so.',
  body: z
    .strictObject({
      email: emailInput(),
      name: personName(),
      password: newPassword().optional(),
      organization_name: displayName(200).optional().meta({ example: 'Corner Bakery' }),
      invitation_token: invitationToken().optional(),
    })
    .meta({ id: 'SignUp' }),
  returns: outcome('SignUpOutcome', 'active', 'confirmation_sent'),
  status: 202,
  errors: ['invalid_request', 'permission_denied', 'conflict'],
  examples: {
    body: { email: 'ada@example.com', name: 'Ada Baker', organization_name: 'Corner Bakery' },
    response: { status: 'confirmation_sent' },
  },
  async handler(context, exchange) {
    const { organization_name: organization, invitation_token: invitation, password, ...who } = exchange.body;
    if (invitation !== undefined) {
      if (password === undefined) {
        throw new DomainError('missing_field', 'With an invitation_token, password is required.', { param: 'password' });
      }
      await signUpInvited(context, { ...who, password }, invitation, clientOf(exchange));
      return withStatus('active');
    }
    if (password !== undefined) {
      throw new DomainError(
        'invalid_request',
        'Without an invitation_token, you set the password with the link in the email: leave it out.',
        {
          param: 'password',
        },
      );
    }
    if (organization === undefined) {
      throw new DomainError('missing_field', 'Without an invitation_token, organization_name is required.', { param: 'organization_name' });
    }
    await signUpFor(context, who, organization, clientOf(exchange));
    return withStatus('confirmation_sent');
  },
});

const signIn = route({
  ...openPost,
  path: '/api/auth/sign-in',
  operationId: 'sign_in',
  sdkMethod: 'auth.signIn',
  summary: 'Sign in with email address and password',
  description: 'After wrong passwords you have to wait longer and longer (429 with `Retry-After`), also for accounts that do not exist.',
  body: z.strictObject({ email: emailInput(), password: triedPassword() }).meta({ id: 'SignIn' }),
  returns: signedIn,
  status: 200,
  errors: ['authentication_required'],
  examples: { body: { email: 'ada@example.com', password: 'three crusty loaves' }, response: exampleSignedIn },
  handler: async (context, exchange) => ({ body: toSignedIn(await signInWith(context, exchange.body, clientOf(exchange))) }),
});

const refreshTokens = route({
  ...openPost,
  path: '/api/auth/refresh',
  operationId: 'refresh_tokens',
  sdkMethod: 'auth.refresh',
  summary: 'Refresh the tokens',
  description:
    'Each refresh token works once. Repeating the request within 10 seconds returns the same refresh token, so a lost response does no harm. Repeating it later ends the session.',
  body: z.strictObject({ refresh_token: text(500).min(1) }).meta({ id: 'RefreshTokens' }),
  returns: signedIn,
  status: 200,
  errors: ['authentication_required'],
  examples: { body: { refresh_token: exampleSignedIn.refresh_token }, response: exampleSignedIn },
  handler: async (context, exchange) => ({
    body: toSignedIn(await refresh(context, exchange.body.refresh_token, clientOf(exchange))),
  }),
});

const signOut = route({
  ...openPost,
  scope: 'caller',
  path: '/api/auth/sign-out',
  operationId: 'sign_out',
  sdkMethod: 'auth.signOut',
  summary: 'Sign out',
  description: 'Ends the session of this request. Its refresh token stops working at once; its access tokens, everywhere within 5 seconds.',
  body: z.strictObject({}).meta({ id: 'SignOut' }),
  returns: outcome('SignOutOutcome', 'signed_out'),
  status: 200,
  examples: { body: {} },
  async handler(context, exchange) {
    const { caller } = exchange;
    await endOwnSession(context, { userId: caller.id, client: clientOf(exchange) }, sessionIdOf(caller));
    return withStatus('signed_out');
  },
});

const readInvitation = route({
  ...openPost,
  path: '/api/auth/invitation',
  operationId: 'read_invitation',
  sdkMethod: 'auth.readInvitation',
  summary: 'Look up an invitation',
  description: 'Returns the invitation of a token. It requires no credential.',
  body: z.strictObject({ invitation_token: invitationToken() }).meta({ id: 'ReadInvitation' }),
  returns: z
    .object({
      id: z.uuid(),
      organization_name: z.string(),
      email: z.string().meta({ format: 'email' }),
      role: roleName(),
      expires_at: timestamp(),
      has_account: z
        .boolean()
        .meta({ description: 'Whether the invited address has an account. True: sign in and accept the invitation. False: sign up.' }),
    })
    .meta({ id: 'InvitationToYou' }),
  status: 200,
  examples: {
    body: { invitation_token: 'inv_…' },
    response: {
      id: exampleInvitation.id,
      organization_name: 'Corner Bakery',
      email: exampleInvitation.email,
      role: exampleInvitation.role,
      expires_at: exampleInvitation.expires_at,
      has_account: false,
    },
  },
  async handler(context, { body }) {
    const { _id, organization_id, email, role, expires_at } = await invitationOf(context, body.invitation_token);
    const [organization, user] = await Promise.all([findOrganization(context.db, organization_id), findUserByEmail(context.db, email)]);
    return {
      body: {
        id: _id,
        organization_name: organization?.name ?? '',
        email,
        role,
        expires_at: expires_at.toISOString(),
        has_account: user?.email_verified === true,
      },
    };
  },
});

export const signInRoutes: readonly Route[] = [signUp, signIn, refreshTokens, signOut, readInvitation, ...passwordRoutes];
