import type { MailContent } from './template.ts';

export const accountExists = ({ name }: { name: string }): MailContent => ({
  subject: 'You already have an account',
  paragraphs: [
    `Hello ${name},`,
    'Someone, perhaps you, tried to sign up for Fanfare with this email address. You already have an account: sign in instead.',
  ],
  button: { label: 'Sign in', path: '/sign-in' },
  footnote: 'If it was not you, ignore this email. If you forgot your password, choose "Forgot password" on the sign-in page.',
});
