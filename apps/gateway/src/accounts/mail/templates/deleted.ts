import type { Deletion } from './deletion-requested.ts';
import type { MailContent } from './template.ts';

export const deleted = ({ kind, name, deleted: what }: Deletion): MailContent => ({
  subject: `${what} was deleted`,
  paragraphs: [
    `Hello ${name},`,
    `All data of the ${kind} ${what} is erased, and our access to its connected accounts is revoked. Posts that were published stay on the platforms.`,
    ...(kind === 'organization'
      ? ['The sign-in of everybody who belonged to no other organization is deleted, too. This is the last email about it.']
      : []),
  ],
  footnote: 'You get this email because you are an owner of the organization.',
});
