import { pathWith, type Letter, type LetterItem } from './template.ts';

/** What failed in an organization since the last of these mails. */
export interface Failures {
  readonly name: string;
  readonly organization: string;
  /** How many, beyond those that are named too. */
  readonly posts: number;
  readonly accounts: number;
  readonly items: readonly LetterItem[];
  /** How many are not named. */
  readonly more: number;
  readonly unsubscribeToken: string;
}

export function failures({ name, organization, posts, accounts, items, more, unsubscribeToken }: Failures): Letter {
  const failed = posts > 0 ? [`${posts === 1 ? '1 post' : `${posts} posts`} failed`] : [];
  const expired = accounts > 0 ? [`${accounts === 1 ? '1 account' : `${accounts} accounts`} expired`] : [];
  const summary = [...failed, ...expired].join(', ');
  return {
    subject: `${summary} at ${organization}`,
    paragraphs: [`Hello ${name},`, `${summary} at ${organization}.`],
    items,
    ...(more > 0 && { afterItems: `And ${more} more, not listed in this email.` }),
    footnote: 'You get this email because you own the organization or created the post.',
    unsubscribePath: pathWith('/unsubscribe', { token: unsubscribeToken }),
  };
}
