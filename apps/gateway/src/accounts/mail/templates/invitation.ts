import { pathWith, type Letter } from './template.ts';

export const invitation = (data: { organization: string; inviter: string; role: string; invitationId: string; token: string }): Letter => ({
  subject: `Join ${data.organization} on Fanfare`,
  paragraphs: [
    'Hello,',
    `${data.inviter} invites you to ${data.organization} on Fanfare, with the role ${data.role}.`,
    'Open the link to accept. The invitation is for this e-mail address, and is open for a week.',
  ],
  button: { label: 'See the invitation', path: pathWith(`/invitations/${encodeURIComponent(data.invitationId)}`, { token: data.token }) },
  footnote: 'If you do not know who this is, ignore this mail: nothing happens without you.',
});
