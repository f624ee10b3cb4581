import { pathWith, type Letter } from './template.ts';

export const verification = (data: { name: string; organization: string; isOnly: boolean; token: string }): Letter => ({
  subject: 'Confirm your e-mail address',
  paragraphs: [
    `Hello ${data.name},`,
    `Confirm that this address is yours, and choose a password, to begin with ${data.organization} on Fanfare. The link works once, for one hour.`,
    ...(data.isOnly
      ? []
      : [
          'Within the last hour somebody, perhaps you, signed up with this address before. The link in that mail works too: use one of them.',
        ]),
  ],
  button: { label: 'Confirm address', path: pathWith('/verify-email', { token: data.token }) },
  footnote: 'If you did not sign up for Fanfare, ignore this mail: without confirmation nobody can use this address.',
});
