import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { insertMail } from '../store/mails.ts';
import { renderMail, type MailData, type Template } from './render-mail.ts';
import { sealMail } from './sealed-mail.ts';

/**
 * Queues a mail, if possible in the transaction of its change. It is rendered now, and sent later by any replica.
 * @param mail `id`: a mail with the same id is sent once, so derive it from the change. `to`: one address.
 * @throws Error if `to` is not a single address
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

/** Rejects anything that could end a header or add a second address. */
function oneAddress(to: string): string {
  if (!/^[^\s@<>(),;:"[\]\\]+@[^\s@<>(),;:"[\]\\]+$/.test(to) || to.length > 254) throw new Error('This is not a single email address.');
  return to;
}
