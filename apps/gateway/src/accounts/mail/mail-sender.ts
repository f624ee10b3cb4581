import { backoffMs, currentMs, type Loop, readGauge, startLoop } from '@fanfare/runtime';
import type { Context } from '../../context.ts';
import { mailsEnded, mailsFailed } from '../../metrics.ts';
import { countQueuedMails, endMail, leaseMail, retryMail, type LeasedMail } from '../store/mails.ts';
import { mailFailure, type MailFailure } from './mail-failure.ts';
import { openMail } from './sealed-mail.ts';
import { createSmtp, type Smtp } from './smtp.ts';

/** Longer than an attempt takes, whatever the server does. */
const LEASE_MS = 5 * 60_000;
const AT_ONCE = 4;
const POLL_MS = 1_000;
const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 2 * 60 * 60_000;
/** Who waits for a mail longer than this has asked for another. */
const GIVE_UP_MS = 24 * 60 * 60_000;
const WARN_MS = 60_000;
const STOP_MS = 8_000;

/**
 * Sends what is queued, each mail once unless a process dies between the server's answer and writing that down. A mail server that is away
 * makes mail late, never this process unready: callers of the API lose nothing by it.
 */
export function startMailSender(context: Context): Pick<Loop, 'stop'> {
  const { db, log, config } = context;
  const smtp = config.mail.smtpUrl === undefined ? undefined : createSmtp(config.mail.smtpUrl, config.mail.from);
  if (!smtp) log.warn('SMTP_URL is not set: mail stays queued');
  readGauge('fanfare_mails_queued', 'Mails that wait to be sent.', () => countQueuedMails(db));

  const loop = startLoop({ name: 'send-mail', log, run });
  return {
    async stop() {
      // Who does not answer is not waited for: what was not sent for certain is sent when its lease ends.
      await Promise.race([loop.stop(), new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
      smtp?.close();
    },
  };

  async function run(): Promise<number> {
    if (!smtp) return warn();
    const leased: LeasedMail[] = [];
    while (leased.length < AT_ONCE) {
      const mail = await leaseMail(db, LEASE_MS);
      if (!mail) break;
      leased.push(mail);
    }
    await Promise.all(leased.map((mail) => sendOne(context, smtp, mail)));
    return leased.length === AT_ONCE ? 0 : POLL_MS;
  }

  async function warn(): Promise<number> {
    const queued = await countQueuedMails(db);
    if (queued > 0) log.warn({ queued }, 'mail waits, and SMTP_URL is not set');
    return WARN_MS;
  }
}

async function sendOne({ db, keyring, log }: Context, smtp: Smtp, mail: LeasedMail): Promise<void> {
  const ids = { mail_id: mail._id, template: mail.template, attempt: mail.attempts };
  const opened = read();
  if (!opened) return fail({ kind: 'unreadable', final: true });
  try {
    await smtp.send(mail._id, opened);
  } catch (error) {
    return fail(mailFailure(error), error);
  }
  await endMail(db, mail, 'sent');
  mailsEnded.inc({ template: mail.template, outcome: 'sent' });
  log.info(ids, 'mail sent');

  function read() {
    try {
      return openMail(keyring, mail._id, mail.sealed);
    } catch (error) {
      log.error({ ...ids, err: error }, 'a queued mail cannot be opened: is a key missing from KEYRING?');
      return undefined;
    }
  }

  async function fail({ kind, final }: MailFailure, error?: unknown): Promise<void> {
    mailsFailed.inc({ kind });
    if (final || currentMs() - mail.created_at.getTime() > GIVE_UP_MS) {
      await endMail(db, mail, 'given_up', kind);
      mailsEnded.inc({ template: mail.template, outcome: 'given_up' });
      return log.error({ ...ids, kind, reply: replyOf(error) }, 'mail given up');
    }
    const retryInMs = backoffMs(mail.attempts - 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    await retryMail(db, mail, retryInMs, kind);
    log.warn({ ...ids, kind, reply: replyOf(error), retry_in_ms: retryInMs }, 'mail not sent');
  }
}

/** The code alone: a server's words often repeat the recipient's address. */
function replyOf(error: unknown): string | undefined {
  const { code, responseCode } = (error ?? {}) as { code?: string; responseCode?: number };
  return responseCode === undefined ? code : String(responseCode);
}
