import { z } from 'zod';
import {
  acceptAsUser,
  type Client,
  findOrganization,
  findUserByEmail,
  type InvitationDocument,
  invitationOf,
  newPassword,
  signIn,
  signOut,
  signUpInvited,
  triedPassword,
} from '../../accounts/index.ts';
import { personName } from '../../api/me/user.ts';
import type { Context } from '../../context.ts';
import { parseBody } from '../../http/request/parse-body.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { currentPasswordField, form, newPasswordField } from './form.ts';
import type { FormPage } from './form-page.ts';
import { howToSignIn } from './how-to-sign-in.ts';

const newcomer = z.object({ name: personName(), password: newPassword() });
const readNewcomer = parseBody(newcomer) as (given: unknown) => z.output<typeof newcomer>;
const member = z.object({ password: triedPassword() });
const readMember = parseBody(member) as (given: unknown) => z.output<typeof member>;

export const invitationPage: FormPage = {
  path: '/invitations/:invitation_id',
  async show(context, { token = '', name }) {
    const invitation = await invitationOf(context, token);
    const { email, role, organization_id: organizationId } = invitation;
    const organization = escapeHtml((await findOrganization(context.db, organizationId))?.name ?? '');
    const whom = `<p>You are invited to join <strong>${organization}</strong> on Fanfare with the role ${escapeHtml(role)}. The invitation is for <strong>${escapeHtml(email)}</strong>.</p>`;
    const shown = { hidden: { token }, button: 'Accept' };
    const accepting = (await isUser(context, email))
      ? `<p>You already have an account with this email address. Enter its password to accept the invitation.</p>
${form(invitation._id, { ...shown, fields: [currentPasswordField] })}
<p><a href="../forgot-password">Forgot your password?</a></p>`
      : `<p>Enter your name and choose a password to accept the invitation.</p>
${form(invitation._id, { ...shown, fields: [{ ...nameField, value: name }, newPasswordField] })}`;
    return {
      title: 'Accept your invitation',
      body: `${whom}\n${accepting}`,
      hasForm: true,
    };
  },
  async submit(context, given, client) {
    const { token = '' } = given;
    const invitation = await invitationOf(context, token);
    const { email } = invitation;
    if (await isUser(context, email)) return accept(context, invitation, { token, ...readMember(given) }, client);
    await signUpInvited(context, { email, ...readNewcomer(given) }, token, client);
  },
  done: ({ config }) => ({
    title: 'You are now a member',
    body: `<p>You have accepted the invitation. Your membership takes effect within a few seconds.</p>\n${howToSignIn(config)}`,
  }),
  expired: {
    title: 'This invitation is no longer valid',
    body: `<p>An invitation expires after a week and can be accepted once. It may also have been cancelled.</p>
<p>If you have already accepted it, you are a member: <a href="../sign-in">sign in</a>. Otherwise ask for a new invitation.</p>`,
  },
};

const nameField = { name: 'name', label: 'Your name', type: 'text', autocomplete: 'name', maxLength: 100 } as const;

const isUser = async ({ db }: Context, email: string) => (await findUserByEmail(db, email))?.email_verified === true;

/** Signs in only to check the password, and ends the session again, because the page has no use for one. */
async function accept(
  context: Context,
  { _id: id, email }: InvitationDocument,
  { token, password }: { readonly token: string; readonly password: string },
  client: Client,
): Promise<void> {
  const { user, sessionId } = await signIn(context, { email, password }, client);
  try {
    await acceptAsUser(context, { userId: user._id, request: client.audit }, { id, token });
  } finally {
    await signOut(context, { userId: user._id, client }, sessionId);
  }
}
