import type { Letter } from './template.ts';

export const accountExists = ({ name }: { name: string }): Letter => ({
  subject: 'You have an account already',
  paragraphs: [
    `Hello ${name},`,
    'Somebody, perhaps you, tried to sign up for Fanfare with this address. You have an account already: sign in.',
  ],
  button: { label: 'Sign in', path: '/sign-in' },
  footnote: 'If it was not you, ignore this mail. If you do not remember your password, choose "Forgot password" on the sign-in page.',
});
