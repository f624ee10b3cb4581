import type { Letter } from './template.ts';

export const invitation = (data: { organization: string; inviter: string; role: string; invitationId: string }): Letter => ({
  subject: `Join ${data.organization} on Fanfare`,
  paragraphs: [
    'Hello,',
    `${data.inviter} invites you to ${data.organization} on Fanfare, with the role ${data.role}.`,
    'Sign in or sign up with this e-mail address to accept.',
  ],
  button: { label: 'See the invitation', path: `/invitations/${encodeURIComponent(data.invitationId)}` },
  footnote: 'If you do not know who this is, ignore this mail: nothing happens without you.',
});
