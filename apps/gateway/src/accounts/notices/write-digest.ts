import { transaction } from '@fanfare/mongo';
import { derivedId } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { noticesTold } from '../../metrics.ts';
import { queueMail } from '../mail/queue-mail.ts';
import type { MailData } from '../mail/render-mail.ts';
import { endDigest, type DigestDocument } from '../store/digests.ts';
import { hasUntoldNotice, listUntoldNotices, markNoticesTold } from '../store/notices.ts';
import { findOrganization } from '../store/organizations.ts';
import { describeNotices } from './describe-notices.ts';
import { neutral } from './neutral.ts';
import { listRecipients, type Recipient } from './recipients.ts';

/** What there is beyond goes into the next one. */
const MAX_NOTICES = 1_000;
/** Of what a mail tells of it names this many: accounts, which posts may have failed for, then the newest posts. */
const MAX_NAMED = 10;

/**
 * Mails everybody whom it concerns what failed in an organization since the last time. Whom that is, and what is still so, is asked now. The mails
 * are queued in the transaction that writes down what was told: cut short, it is done again from the start.
 */
export async function writeDigest(context: Context, digest: DigestDocument): Promise<void> {
  const { db, log, mongo } = context;
  const organizationId = digest._id;
  const [untold, organization] = await Promise.all([
    listUntoldNotices(db, organizationId, MAX_NOTICES),
    findOrganization(db, organizationId),
  ]);
  const describe = describeNotices(context);
  const mails: { recipient: Recipient; data: MailData<'failures'> }[] = [];
  if (organization && !organization.suspended_at) {
    const current = [];
    for (const notice of untold) if (await describe.isStillSo(notice)) current.push(notice);
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
    const ids = untold.map(({ _id }) => _id);
    await markNoticesTold(db, ids, session);
    const more = await hasUntoldNotice(db, organizationId, session);
    await endDigest(db, digest, more, session);
    for (const { recipient, data } of mails) {
      // The same for everybody who writes this one.
      const id = derivedId(organizationId, `digest after ${digest.last_at?.getTime() ?? 0} to ${recipient.id}`);
      await queueMail(context, { id, to: recipient.email, template: 'failures', data }, session);
    }
  });
  for (const { kind } of untold) noticesTold.inc({ kind });
  log.info({ organization_id: organizationId, notices: untold.length, mails: mails.length }, 'digest written');
}
