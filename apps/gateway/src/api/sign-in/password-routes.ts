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
import { outcome, said } from '../shared/outcome.ts';
import { mailToken } from './mail-token.ts';
import { openPost } from './open-post.ts';

const mailed = outcome('MailOutcome', 'accepted');
const changed = outcome('PasswordOutcome', 'changed');

const forgotPassword = route({
  ...openPost,
  path: '/api/auth/password/forgot',
  operationId: 'forgot_password',
  sdkMethod: 'auth.forgotPassword',
  summary: 'Ask for a new password',
  description: 'Mails a link that works once, for an hour. The answer is the same whether there is such an account or not.',
  body: z.strictObject({ email: emailInput() }).meta({ id: 'ForgotPassword' }),
  returns: mailed,
  status: 202,
  examples: { body: { email: 'ada@example.com' } },
  async handler(context, exchange) {
    await forgot(context, exchange.body.email, clientOf(exchange));
    return said('accepted');
  },
});

const resetPassword = route({
  ...openPost,
  path: '/api/auth/password/reset',
  operationId: 'reset_password',
  sdkMethod: 'auth.resetPassword',
  summary: 'Choose a new password with a mailed link',
  description: 'Ends all sessions.',
  body: z.strictObject({ token: mailToken(), password: newPassword() }).meta({ id: 'ResetPassword' }),
  returns: changed,
  status: 200,
  examples: { body: { token: 'pwr_…', password: 'three crusty loaves' } },
  async handler(context, exchange) {
    await reset(context, exchange.body, clientOf(exchange));
    return said('changed');
  },
});

const changePassword = route({
  ...openPost,
  scope: 'caller',
  path: '/api/auth/password/change',
  operationId: 'change_password',
  sdkMethod: 'auth.changePassword',
  summary: 'Change your password',
  description: 'Ends all your other sessions.',
  body: z.strictObject({ current_password: triedPassword(), password: newPassword() }).meta({ id: 'ChangePassword' }),
  returns: changed,
  status: 200,
  errors: ['conflict'],
  examples: { body: { current_password: 'three crusty loaves', password: 'four crusty loaves' } },
  async handler(context, exchange) {
    const { caller, body } = exchange;
    const who = { userId: caller.id, sessionId: sessionIdOf(caller) };
    await change(context, who, { current: body.current_password, password: body.password }, clientOf(exchange));
    return said('changed');
  },
});

const verifyEmail = route({
  ...openPost,
  path: '/api/auth/email/verify',
  operationId: 'verify_email',
  sdkMethod: 'auth.verifyEmail',
  summary: 'Confirm an e-mail address, and choose a password',
  description: 'Makes the account of a sign-up, and founds its organization. The link works once, for an hour: then sign in.',
  body: z.strictObject({ token: mailToken(), password: newPassword() }).meta({ id: 'VerifyEmail' }),
  returns: outcome('VerificationOutcome', 'verified'),
  status: 200,
  errors: ['conflict'],
  examples: { body: { token: 'ver_…', password: 'three crusty loaves' } },
  async handler(context, exchange) {
    await verify(context, exchange.body, clientOf(exchange));
    return said('verified');
  },
});

const resendEmailVerification = route({
  ...openPost,
  path: '/api/auth/email/resend',
  operationId: 'resend_email_verification',
  sdkMethod: 'auth.resendEmailVerification',
  summary: 'Get the mail to confirm an address again',
  description: 'The answer is the same whether there is anything to confirm or not.',
  body: z.strictObject({ email: emailInput() }).meta({ id: 'ResendEmailVerification' }),
  returns: mailed,
  status: 202,
  examples: { body: { email: 'ada@example.com' } },
  async handler(context, exchange) {
    await resendVerification(context, exchange.body.email, clientOf(exchange));
    return said('accepted');
  },
});

export const passwordRoutes: readonly Route[] = [forgotPassword, resetPassword, changePassword, verifyEmail, resendEmailVerification];
