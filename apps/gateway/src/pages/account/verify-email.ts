import { z } from 'zod';
import { newPassword, openSignUpOf, verifyEmail } from '../../accounts/index.ts';
import { mailToken } from '../../api/sign-in/mail-token.ts';
import { parseBody } from '../../http/request/parse-body.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { form, newPasswordField } from './form.ts';
import type { FormPage } from './form-page.ts';
import { howToSignIn } from './how-to-sign-in.ts';

const fields = z.object({ token: mailToken(), password: newPassword() });
const read = parseBody(fields) as (given: unknown) => z.output<typeof fields>;

export const verifyEmailPage: FormPage = {
  path: '/verify-email',
  async show(context, { token = '' }) {
    const { email, name, organization_name: organization } = await openSignUpOf(context, token);
    return {
      title: 'Confirm your email address',
      body: `<p>Hello ${escapeHtml(name)}, choose a password to confirm your email address <strong>${escapeHtml(email)}</strong> and to start with
<strong>${escapeHtml(organization)}</strong> on Fanfare.</p>
${form('verify-email', { hidden: { token }, fields: [newPasswordField], button: 'Confirm and continue' })}`,
      hasForm: true,
    };
  },
  submit: (context, given, client) => verifyEmail(context, read(given), client),
  done: ({ config }) => ({
    title: 'Your account is ready',
    body: `<p>Your email address is confirmed, your password is set, and your organization has been created.</p>\n${howToSignIn(config)}`,
  }),
  expired: {
    title: 'This link is no longer valid',
    body: `<p>A link to confirm an email address works once, within an hour.</p>
<p>If you have already used it, your account is ready: <a href="sign-in">sign in</a>. Otherwise <a href="verify-email-again">resend the email</a>.</p>`,
  },
};
