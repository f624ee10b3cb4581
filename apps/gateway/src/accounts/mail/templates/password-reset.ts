import { pathWith, type Letter } from './template.ts';

export const passwordReset = ({ name, token }: { name: string; token: string }): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [`Hello ${name},`, 'Somebody, we hope you, asked for a new password for your account. The link works once, for one hour.'],
  button: { label: 'Choose a password', path: pathWith('/reset-password', { token }) },
  footnote: 'If it was not you, ignore this mail: your password stays as it is.',
});
