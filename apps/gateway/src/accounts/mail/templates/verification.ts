import { pathWith, type Letter } from './template.ts';

export const verification = (data: { name: string; organization: string; isOnly: boolean; token: string }): Letter => ({
  subject: 'Confirm your email address',
  paragraphs: [
    `Hello ${data.name},`,
    `Confirm your address and choose a password to start with ${data.organization} on Fanfare. The link works once, within one hour.`,
    ...(data.isOnly
      ? []
      : [
          'Someone, perhaps you, already signed up with this address within the last hour. The link in that email works too; use one of them.',
        ]),
  ],
  button: { label: 'Confirm address', path: pathWith('/verify-email', { token: data.token }) },
  footnote: 'If you did not sign up for Fanfare, ignore this email. Nobody can use this address without confirming it.',
});
