import { z } from 'zod';
import { emailInput, forgotPassword, resendVerification } from '../../accounts/index.ts';
import { parseBody } from '../../http/request/parse-body.ts';
import { emailField, form } from './form.ts';
import type { FormPage } from './form-page.ts';

const fields = z.object({ email: emailInput() });
const read = parseBody(fields) as (given: unknown) => z.output<typeof fields>;

/** The page is the same whether or not the account exists. */
const mailed =
  (title: string, what: string): FormPage['done'] =>
  () => ({
    title,
    body: `<p>${what} It may take a minute. Check your spam folder too. You can close this window.</p>`,
  });

export const forgotPasswordPage: FormPage = {
  path: '/forgot-password',
  show: async (_context, { email }) => ({
    title: 'Forgot your password?',
    body: `<p>Enter your email address. We will send you a link to choose a new password.</p>\n${form('forgot-password', { fields: [emailField(email)], button: 'Send the link' })}`,
    hasForm: true,
  }),
  submit: (context, given, client) => forgotPassword(context, read(given).email, client),
  done: mailed(
    'Check your email',
    'If there is an account with this address, we have sent a link to choose a new password. The link works for an hour.',
  ),
};

export const verifyEmailAgainPage: FormPage = {
  path: '/verify-email-again',
  show: async (_context, { email }) => ({
    title: 'Resend the email',
    body: `<p>Enter the email address that you signed up with.</p>\n${form('verify-email-again', { fields: [emailField(email)], button: 'Send the link' })}`,
    hasForm: true,
  }),
  submit: (context, given, client) => resendVerification(context, read(given).email, client),
  done: mailed(
    'Check your email',
    'If this address was used to sign up in the last hour and is not confirmed yet, we have sent the link again. If no email arrives, sign up again.',
  ),
};
