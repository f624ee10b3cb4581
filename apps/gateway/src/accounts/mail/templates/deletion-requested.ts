import type { MailContent } from './template.ts';

/** What is being deleted, or is deleted. */
export interface Deletion {
  readonly kind: 'business' | 'organization';
  readonly name: string;
  /** The name of the business or the organization. */
  readonly deleted: string;
  /** Empty if an operator requested it. */
  readonly requestedBy: string;
  readonly finalAt: Date;
  readonly path: string;
}

export const deletionRequested = ({ kind, name, deleted, requestedBy, finalAt, path }: Deletion): MailContent => ({
  subject: `${deleted} will be deleted on ${dayOf(finalAt)}`,
  paragraphs: [
    `Hello ${name},`,
    `${requestedBy === '' ? 'The operator of this service' : requestedBy} requested the deletion of the ${kind} ${deleted}. Publishing has stopped.`,
    `Until ${timeOf(finalAt)} ${kind === 'business' ? 'owners and admins' : 'owners'} can restore it, and everything is as it was. After that, all of its data is erased, and our access to its connected accounts is revoked. This cannot be undone.`,
    'Posts that are published stay on the platforms. Unpublish them before that time if you want to remove them.',
  ],
  button: { label: kind === 'business' ? 'Show the business' : 'Show the organization', path },
  footnote: 'You get this email because you are an owner of the organization.',
});

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
export const timeOf = (at: Date): string => `${dayOf(at)}, ${at.toISOString().slice(11, 16)} UTC`;
