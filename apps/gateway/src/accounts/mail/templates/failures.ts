import { pathWith, type MailContent, type MailItem } from './template.ts';

/** The failures in an organization since the last digest. */
export interface Failures {
  readonly name: string;
  readonly organization: string;
  /** The number of all failed posts, listed or not. */
  readonly posts: number;
  readonly accounts: number;
  readonly items: readonly MailItem[];
  /** The number of failures that are not listed. */
  readonly more: number;
  readonly unsubscribeToken: string;
}

export function failures({ name, organization, posts, accounts, items, more, unsubscribeToken }: Failures): MailContent {
  const failed = posts > 0 ? [`${posts === 1 ? '1 post' : `${posts} posts`} failed`] : [];
  const expired =
    accounts > 0 ? [accounts === 1 ? '1 account needs to be reconnected' : `${accounts} accounts need to be reconnected`] : [];
  const summary = [...failed, ...expired].join(' and ');
  return {
    subject: `${summary} in ${organization}`,
    paragraphs: [`Hello ${name},`, `${summary} in ${organization}.`],
    items,
    ...(more > 0 && { afterItems: more === 1 ? '1 more is not listed in this email.' : `${more} more are not listed in this email.` }),
    footnote: 'You get this email because you are an owner of the organization or created the post.',
    unsubscribePath: pathWith('/unsubscribe', { token: unsubscribeToken }),
  };
}
