import { pathWith, type MailContent } from './template.ts';

export const passwordReset = ({ name, token }: { name: string; token: string }): MailContent => ({
  subject: 'Reset your password',
  paragraphs: [`Hello ${name},`, 'Someone requested a new password for your account. The link works once, within an hour.'],
  button: { label: 'Choose a password', path: pathWith('/reset-password', { token }) },
  footnote: 'If it was not you, ignore this email. Your password does not change.',
});
