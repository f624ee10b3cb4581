import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { insertMail } from '../store/mails.ts';
import { renderMail, type MailData, type Template } from './render-mail.ts';
import { sealMail } from './sealed-mail.ts';

/**
 * Queues a mail; in the transaction of the change that it tells of, where there is one. It is written now, and sent by whichever replica
 * takes it up.
 * @param mail `id`: the same id is sent once, so derive it from the change. `to`: one address.
 * @throws Error when `to` is no single address
 */
export async function queueMail<T extends Template>(
  context: Pick<Context, 'db' | 'keyring' | 'config'>,
  mail: { readonly id: string; readonly to: string; readonly template: T; readonly data: MailData<T> },
  session?: ClientSession,
): Promise<void> {
  const { id, to, template, data } = mail;
  const sealed = sealMail(context.keyring, id, { to: oneAddress(to), ...renderMail(context.config, template, data) });
  await insertMail(context.db, { _id: id, template, sealed }, session);
}

/** What could end a header, or begin a second address, never gets as far as a mail. */
function oneAddress(to: string): string {
  if (!/^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/.test(to) || to.length > 254) throw new Error('This is not a single email address.');
  return to;
}
