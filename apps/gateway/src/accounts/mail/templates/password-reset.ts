import { pathWith, type Letter } from './template.ts';

export const passwordReset = ({ name, token }: { name: string; token: string }): Letter => ({
  subject: 'Choose a new password',
  paragraphs: [`Hello ${name},`, 'Someone requested a new password for your account. The link works once, within one hour.'],
  button: { label: 'Choose a password', path: pathWith('/reset-password', { token }) },
  footnote: 'If it was not you, ignore this email. Your password does not change.',
});
