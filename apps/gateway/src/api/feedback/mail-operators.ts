import { derivedId } from '@fanfare/runtime';
import type { ClientSession } from 'mongodb';
import { findOrganization, queueMail } from '../../accounts/index.ts';
import type { Context } from '../../context.ts';
import type { FeedbackDocument } from './store/feedback.ts';

/** Mails feedback to `OPERATOR_MAIL`, once, if that is set. */
export async function mailOperators(
  context: Pick<Context, 'db' | 'config' | 'keyring'>,
  feedback: FeedbackDocument,
  session: ClientSession,
): Promise<void> {
  const to = context.config.mail.operators;
  if (to === undefined) return;
  const { _id, organization_id, message, category, page_url, post_id, created_by, created_by_name } = feedback;
  const organization = (await findOrganization(context.db, organization_id, session))?.name ?? organization_id;
  const data = {
    id: _id,
    category,
    message,
    organization,
    organizationId: organization_id,
    from: created_by_name ?? created_by,
    pageUrl: page_url,
    postId: post_id,
  };
  await queueMail(context, { id: derivedId(_id, 'to operators'), to, template: 'feedback', data }, session);
}
