import { z } from 'zod';
import {
  changePassword as change,
  clientOf,
  emailInput,
  forgotPassword as forgot,
  newPassword,
  resendVerification,
  resetPassword as reset,
  triedPassword,
  verifyEmail as verify,
} from '../../accounts/index.ts';
import { route, type Route } from '../../http/route.ts';
import { sessionIdOf } from '../sessions/session.ts';
import { outcome, withStatus } from '../common/outcome.ts';
import { mailToken } from './mail-token.ts';
import { openPost } from './open-post.ts';

const mailed = outcome('MailOutcome', 'accepted');
const changed = outcome('PasswordOutcome', 'changed');

const forgotPassword = route({
  ...openPost,
  path: '/api/auth/password/forgot',
  operationId: 'forgot_password',
  sdkMethod: 'auth.forgotPassword',
  summary: 'Request a password reset',
  description: 'Sends an email with a link that works once, within an hour. The response is the same whether the account exists or not.',
  body: z.strictObject({ email: emailInput() }).meta({ id: 'ForgotPassword' }),
  returns: mailed,
  status: 202,
  examples: { body: { email: 'ada@example.com' } },
  async handler(context, exchange) {
    await forgot(context, exchange.body.email, clientOf(exchange));
    return withStatus('accepted');
  },
});

const resetPassword = route({
  ...openPost,
  path: '/api/auth/password/reset',
  operationId: 'reset_password',
  sdkMethod: 'auth.resetPassword',
  summary: 'Reset a password',
  description: 'Sets a new password with the token from the email. Ends all sessions of the user.',
  body: z.strictObject({ token: mailToken(), password: newPassword() }).meta({ id: 'ResetPassword' }),
  returns: changed,
  status: 200,
  examples: { body: { token: 'pwr_…', password: 'three crusty loaves' } },
  async handler(context, exchange) {
    await reset(context, exchange.body, clientOf(exchange));
    return withStatus('changed');
  },
});

const changePassword = route({
  ...openPost,
  scope: 'caller',
  path: '/api/auth/password/change',
  operationId: 'change_password',
  sdkMethod: 'auth.changePassword',
  summary: 'Change your password',
  description: 'Ends all of your other sessions.',
  body: z.strictObject({ current_password: triedPassword(), password: newPassword() }).meta({ id: 'ChangePassword' }),
  returns: changed,
  status: 200,
  errors: ['conflict'],
  examples: { body: { current_password: 'three crusty loaves', password: 'four crusty loaves' } },
  async handler(context, exchange) {
    const { caller, body } = exchange;
    const who = { userId: caller.id, sessionId: sessionIdOf(caller) };
    await change(context, who, { current: body.current_password, password: body.password }, clientOf(exchange));
    return withStatus('changed');
  },
});

const verifyEmail = route({
  ...openPost,
  path: '/api/auth/email/verify',
  operationId: 'verify_email',
  sdkMethod: 'auth.verifyEmail',
  summary: 'Confirm an email address and set a password',
  description: 'Creates the user and the organization of a sign-up. The link works once, within an hour. Then sign in.',
  body: z.strictObject({ token: mailToken(), password: newPassword() }).meta({ id: 'VerifyEmail' }),
  returns: outcome('VerificationOutcome', 'verified'),
  status: 200,
  errors: ['conflict'],
  examples: { body: { token: 'ver_…', password: 'three crusty loaves' } },
  async handler(context, exchange) {
    await verify(context, exchange.body, clientOf(exchange));
    return withStatus('verified');
  },
});

const resendEmailVerification = route({
  ...openPost,
  path: '/api/auth/email/resend',
  operationId: 'resend_email_verification',
  sdkMethod: 'auth.resendEmailVerification',
  summary: 'Resend the confirmation email',
  description: 'The response is the same whether there is an address to confirm or not.',
  body: z.strictObject({ email: emailInput() }).meta({ id: 'ResendEmailVerification' }),
  returns: mailed,
  status: 202,
  examples: { body: { email: 'ada@example.com' } },
  async handler(context, exchange) {
    await resendVerification(context, exchange.body.email, clientOf(exchange));
    return withStatus('accepted');
  },
});

export const passwordRoutes: readonly Route[] = [forgotPassword, resetPassword, changePassword, verifyEmail, resendEmailVerification];
