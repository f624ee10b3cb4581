import { transaction } from '@fanfare/mongo';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { noticesHandled } from '../../metrics.ts';
import { queueMail } from '../mail/queue-mail.ts';
import type { MailData } from '../mail/render-mail.ts';
import { endDigest, type DigestDocument } from '../store/digests.ts';
import { hasUnmailedNotice, listUnmailedNotices, markNoticesMailed } from '../store/notices.ts';
import { findOrganization } from '../store/organizations.ts';
import { describeNotices } from './describe-notices.ts';
import { neutral } from './neutral.ts';
import { listRecipients, type Recipient } from './recipients.ts';

/** Further notices are in the next digest. */
const MAX_NOTICES = 1_000;
/** The most items of a mail: accounts first, because they may be why posts failed, then the newest posts. */
const MAX_NAMED = 10;

/**
 * Mails the failures in an organization since the last digest to everyone concerned. Recipients and failures that still exist are determined now. The mails
 * are queued in the transaction that marks the notices as mailed; if it fails, the digest is written again from the start.
 */
export async function writeDigest(context: Context, digest: DigestDocument): Promise<void> {
  const { db, log, mongo } = context;
  const organizationId = digest._id;
  const [unmailed, organization] = await Promise.all([
    listUnmailedNotices(db, organizationId, MAX_NOTICES),
    findOrganization(db, organizationId),
  ]);
  const describe = describeNotices(context);
  const mails: { recipient: Recipient; data: MailData<'failures'> }[] = [];
  if (organization && !organization.suspended_at) {
    const current = [];
    for (const notice of unmailed) if (await describe.isCurrent(notice)) current.push(notice);
    for (const recipient of await listRecipients(db, organizationId, current)) {
      const { name, notices } = recipient;
      const accounts = notices.filter(({ kind }) => kind === 'account_expired');
      const posts = notices.filter(({ kind }) => kind === 'post_failed');
      const items = [];
      for (const notice of [...accounts, ...posts.toReversed()].slice(0, MAX_NAMED)) items.push(await describe.item(notice));
      const counts = { accounts: accounts.length, posts: new Set(posts.map(({ subject_id }) => subject_id)).size };
      const more = notices.length - items.length;
      const unsubscribeToken = context.identity.unsubscribeTokens.of(recipient.id);
      mails.push({ recipient, data: { name, organization: neutral(organization.name, 100), ...counts, items, more, unsubscribeToken } });
    }
  }

  await transaction(mongo.client, async (session) => {
    const ids = unmailed.map(({ _id }) => _id);
    await markNoticesMailed(db, ids, session);
    const more = await hasUnmailedNotice(db, organizationId, session);
    await endDigest(db, digest, more, session);
    for (const { recipient, data } of mails) {
      // The same id in every attempt to write this digest.
      const id = derivedId(organizationId, `digest after ${digest.last_at?.getTime() ?? 0} to ${recipient.id}`);
      await queueMail(context, { id, to: recipient.email, template: 'failures', data }, session);
    }
  });
  for (const { kind } of unmailed) noticesHandled.inc({ kind });
  log.info({ organization_id: organizationId, notices: unmailed.length, mails: mails.length }, 'digest written');
}
