import { pathWith, type MailContent } from './template.ts';

export const invitation = (data: {
  organization: string;
  inviter: string;
  role: string;
  invitationId: string;
  token: string;
}): MailContent => ({
  subject: `Join ${data.organization} on Fanfare`,
  paragraphs: [
    'Hello,',
    `${data.inviter} invites you to join ${data.organization} on Fanfare, with the role ${data.role}.`,
    'Open the link to accept the invitation. It is for this email address only and expires in a week.',
  ],
  button: { label: 'View the invitation', path: pathWith(`/invitations/${encodeURIComponent(data.invitationId)}`, { token: data.token }) },
  footnote: 'If you do not know this person, ignore this email. You become a member only if you accept.',
});
