import { startWorker, type Lease } from '@fanfare/leased-work';
import { currentMs, readGauge, startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { mailsEnded, mailsFailed } from '../../metrics.ts';
import { countQueuedMails, endMail, mailRows, type MailDocument } from '../store/mails.ts';
import { mailFailure, type MailFailure } from './mail-failure.ts';
import { openMail } from './sealed-mail.ts';
import { createSmtp, type Smtp } from './smtp.ts';

/** After this time another process takes over the mails of one that has crashed. */
const LEASE_MS = 60_000;
const AT_ONCE = 4;
const IDLE_MS = 5_000;
const FIRST_DELAY_MS = 15_000;
const MAX_DELAY_MS = 2 * 60 * 60_000;
/** After this time the recipient has requested another mail. There is no other limit of attempts. */
const GIVE_UP_MS = 24 * 60 * 60_000;
const ATTEMPTS = 1_000;
const WARN_MS = 60_000;
const STOP_MS = 8_000;

/** The mail cannot be decrypted, because the key that encrypted it is not in the keyring. */
class Unreadable extends Error {}

/**
 * Sends queued mails, each once unless a process ends between the response of the server and the write that records it. If the mail server is unavailable,
 * mails are late, but the process stays ready: API requests do not depend on mail.
 */
export function startMailSender(context: Context): Pick<Loop, 'stop'> {
  const { db, log, config } = context;
  readGauge('fanfare_mails_queued', 'Emails that wait to be sent.', () => countQueuedMails(db));
  if (config.mail.smtpUrl === undefined) return startReminder(context);

  const smtp = createSmtp(config.mail.smtpUrl, config.mail.from);
  const worker = startWorker<MailDocument>({
    name: 'send-mail',
    db,
    log,
    rows: mailRows,
    size: AT_ONCE,
    leaseMs: LEASE_MS,
    idleMs: IDLE_MS,
    idsOf: ({ _id, template, attempts }) => ({ mail_id: _id, template, attempt: attempts }),
    work: (lease) => sendOne(context, smtp, lease),
    retry: {
      attempts: ATTEMPTS,
      firstDelayMs: FIRST_DELAY_MS,
      maxDelayMs: MAX_DELAY_MS,
      passes: (error, { created_at }) => !failureOf(error).final && currentMs() - created_at.getTime() <= GIVE_UP_MS,
      onRetry(error) {
        const { kind } = failureOf(error);
        mailsFailed.inc({ kind });
        return [{ $set: { last_error: { $literal: kind } } }];
      },
      giveUp: (lease, error) => giveUp(context, lease, error),
    },
  });
  return {
    async stop() {
      // Does not wait for a server that does not respond: a mail whose result is unknown is sent again when its lease ends.
      await Promise.race([worker.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
      smtp.close();
    },
  };
}

/** Logs the number of queued mails if there is no mail server. */
function startReminder({ db, log }: Context): Pick<Loop, 'stop'> {
  log.warn('SMTP_URL is not set: emails stay queued');
  return startLoop({
    name: 'send-mail',
    log,
    async run() {
      const queued = await countQueuedMails(db);
      if (queued > 0) log.warn({ queued }, 'emails are waiting, and SMTP_URL is not set');
      return WARN_MS;
    },
  });
}

async function sendOne({ db, keyring }: Context, smtp: Smtp, { row, log }: Lease<MailDocument>): Promise<void> {
  let opened;
  try {
    opened = openMail(keyring, row._id, row.sealed ?? '');
  } catch (error) {
    throw new Unreadable('A queued email cannot be decrypted. Check that KEYRING contains all keys.', { cause: error });
  }
  // Replies often contain the recipient's address, which must not be logged.
  await smtp.send(row._id, opened).catch((error: unknown) => Promise.reject(new NotSent(error)));
  await endMail(db, row, 'sent');
  mailsEnded.inc({ template: row.template, outcome: 'sent' });
  log.info('email sent');
}

async function giveUp({ db }: Context, { row, log }: Lease<MailDocument>, error: unknown): Promise<void> {
  const { kind } = failureOf(error);
  mailsFailed.inc({ kind });
  await endMail(db, row, 'given_up', kind);
  mailsEnded.inc({ template: row.template, outcome: 'given_up' });
  log.error({ err: error, kind }, 'gave up sending an email');
}

const failureOf = (error: unknown): MailFailure => {
  if (error instanceof Unreadable) return { kind: 'unreadable', final: true };
  return error instanceof NotSent ? error.failure : mailFailure(error);
};

/** The rejection of a mail server, without the text of its reply. */
class NotSent extends Error {
  readonly failure: MailFailure;

  constructor(error: unknown) {
    const failure = mailFailure(error);
    super(`The mail server rejected the email: ${replyOf(error) ?? failure.kind}`);
    this.failure = failure;
  }
}

/** The code of the reply only, because its text often contains the recipient's address. */
function replyOf(error: unknown): string | undefined {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  return responseCode === undefined ? code : String(responseCode);
}
