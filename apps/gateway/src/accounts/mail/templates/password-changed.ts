import type { MailContent } from './template.ts';

export const passwordChanged = ({ name }: { name: string }): MailContent => ({
  subject: 'Your password was changed',
  paragraphs: [`Hello ${name},`, 'The password of your account was changed, and all other sessions were signed out.'],
  button: { label: 'Sign in', path: '/sign-in' },
  footnote: 'If it was not you, reset your password immediately with "Forgot password" on the sign-in page.',
});
