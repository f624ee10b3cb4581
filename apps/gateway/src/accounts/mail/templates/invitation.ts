import { pathWith, type Letter } from './template.ts';

export const invitation = (data: { organization: string; inviter: string; role: string; invitationId: string; token: string }): Letter => ({
  subject: `Join ${data.organization} on Fanfare`,
  paragraphs: [
    'Hello,',
    `${data.inviter} invites you to ${data.organization} on Fanfare, with the role ${data.role}.`,
    'Open the link to accept. The invitation is for this email address and is valid for a week.',
  ],
  button: { label: 'View the invitation', path: pathWith(`/invitations/${encodeURIComponent(data.invitationId)}`, { token: data.token }) },
  footnote: 'If you do not know this person, ignore this email. Nothing happens unless you accept.',
});
