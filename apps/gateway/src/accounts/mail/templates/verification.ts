import { pathWith, type MailContent } from './template.ts';

export const verification = (data: { name: string; organization: string; isOnly: boolean; token: string }): MailContent => ({
  subject: 'Confirm your email address',
  paragraphs: [
    `Hello ${data.name},`,
    `Confirm your email address and choose a password to start with ${data.organization} on Fanfare. The link works once, within an hour.`,
    ...(data.isOnly
      ? []
      : [
          'Someone, perhaps you, already signed up with this address within the last hour. The link in that email works too. Use either one.',
        ]),
  ],
  button: { label: 'Confirm address', path: pathWith('/verify-email', { token: data.token }) },
  footnote: 'If you did not sign up for Fanfare, ignore this email. This address cannot be used for an account without your confirmation.',
});
