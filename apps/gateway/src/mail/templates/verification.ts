import { pathWith, type Letter } from './template.ts';

export const verification = ({ name, token }: { name: string; token: string }): Letter => ({
  subject: 'Confirm your e-mail address',
  paragraphs: [`Hello ${name},`, 'Please confirm that this address is yours. The link works for one hour.'],
  button: { label: 'Confirm address', path: pathWith('/verify-email', { token }) },
  footnote: 'If you did not sign up for Fanfare, you need not do anything: without confirmation nobody can use this address.',
});
