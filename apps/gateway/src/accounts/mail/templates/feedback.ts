import type { MailContent } from './template.ts';

/** For the operators of this installation. */
export const feedback = (of: {
  readonly id: string;
  readonly category: string;
  readonly message: string;
  readonly organization: string;
  readonly organizationId: string;
  readonly from: string;
  readonly pageUrl?: string | undefined;
  readonly postId?: string | undefined;
}): MailContent => ({
  subject: `Feedback from ${of.organization}: ${of.category}`,
  paragraphs: [
    ...of.message.split(/\n+/).flatMap((line) => (line.trim() === '' ? [] : (line.match(/.{1,900}/gsu) ?? []))),
    `From ${of.from} of ${of.organization} (organization ${of.organizationId}).`,
    ...(of.pageUrl === undefined ? [] : [`About the page ${of.pageUrl}`]),
    ...(of.postId === undefined ? [] : [`About the post ${of.postId}`]),
  ],
  footnote: `Feedback ${of.id}. You get this email because OPERATOR_MAIL of this installation is your address.`,
});
