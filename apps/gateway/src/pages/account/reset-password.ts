import { z } from 'zod';
import { newPassword, resetPassword, userOfReset } from '../../accounts/index.ts';
import { mailToken } from '../../api/sign-in/mail-token.ts';
import { parseBody } from '../../http/request/parse-body.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { form, newPasswordField } from './form.ts';
import type { FormPage } from './form-page.ts';
import { howToSignIn } from './how-to-sign-in.ts';

const fields = z.object({ token: mailToken(), password: newPassword() });
const read = parseBody(fields) as (given: unknown) => z.output<typeof fields>;

export const resetPasswordPage: FormPage = {
  path: '/reset-password',
  async show(context, { token = '' }) {
    const { user } = await userOfReset(context, token);
    return {
      title: 'Choose a new password',
      body: `<p>Choose a new password for the account of <strong>${escapeHtml(user.email)}</strong>. This signs you out on all devices.</p>
${form('reset-password', { hidden: { token }, fields: [{ ...newPasswordField, label: 'New password' }], button: 'Change password' })}`,
      hasForm: true,
    };
  },
  submit: (context, given, client) => resetPassword(context, read(given), client),
  done: ({ config }) => ({
    title: 'Your password has been changed',
    body: `<p>You have been signed out on all devices.</p>\n${howToSignIn(config)}`,
  }),
  expired: {
    title: 'This link is no longer valid',
    body: `<p>A link to choose a new password works once, within an hour. Your password has not changed.</p>
<p><a href="forgot-password">Get a new link</a></p>`,
  },
};
