import { z } from 'zod';
import { emailInput, forgotPassword, resendVerification } from '../../accounts/index.ts';
import { parseBody } from '../../http/request/parse-body.ts';
import { emailField, form } from './form.ts';
import type { FormPage } from './form-page.ts';

const fields = z.object({ email: emailInput() });
const read = parseBody(fields) as (given: unknown) => z.output<typeof fields>;

/** The same words whether there is such an account or not. */
const mailed =
  (title: string, what: string): FormPage['done'] =>
  () => ({
    title,
    body: `<p>${what} It may take a minute; check your spam folder too. You can close this window.</p>`,
  });

export const forgotPasswordPage: FormPage = {
  path: '/forgot-password',
  show: async (_context, { email }) => ({
    title: 'Forgot your password?',
    body: `<p>We will email you a link to choose a new one.</p>\n${form('forgot-password', { fields: [emailField(email)], button: 'Send the link' })}`,
    hasForm: true,
  }),
  submit: (context, given, client) => forgotPassword(context, read(given).email, client),
  done: mailed(
    'Check your email',
    'If there is an account with this address, a link to choose a new password is on its way. It works for an hour.',
  ),
};

export const verifyEmailAgainPage: FormPage = {
  path: '/verify-email-again',
  show: async (_context, { email }) => ({
    title: 'Resend the email',
    body: `<p>For the address that you signed up with.</p>\n${form('verify-email-again', { fields: [emailField(email)], button: 'Send the link' })}`,
    hasForm: true,
  }),
  submit: (context, given, client) => resendVerification(context, read(given).email, client),
  done: mailed(
    'Check your email',
    'If this address was used to sign up in the last hour and is not confirmed yet, the link is on its way. If no email arrives, sign up again.',
  ),
};
