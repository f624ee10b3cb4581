import { randomUUID } from 'node:crypto';
import PostalMime, { type Address } from 'postal-mime';

/** A received mail, parsed. */
export interface Mail {
  id: string;
  received_at: string;
  message_id: string | null;
  from: string;
  /** The recipients of the envelope. */
  to: string[];
  subject: string;
  text: string;
  /** Untrusted HTML: shown only in a sandboxed frame. */
  html: string;
  headers: Record<string, string>;
}

export interface Mailbox {
  deliver(raw: Buffer, recipients: readonly string[]): Promise<void>;
  /** Newest first. */
  list(): Mail[];
  find(id: string): Mail | undefined;
  clear(): void;
}

const keptMails = 200;

/** All received mails, in memory. */
export function createMailbox(now: () => number): Mailbox {
  let mails: Mail[] = [];
  return {
    async deliver(raw, recipients) {
      const mail = await PostalMime.parse(raw);
      const read: Mail = {
        id: randomUUID(),
        received_at: new Date(now()).toISOString(),
        message_id: mail.messageId ?? null,
        from: mail.from ? written(mail.from) : '',
        to: [...recipients],
        subject: mail.subject ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
        headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
      };
      mails = [read, ...mails].slice(0, keptMails);
    },
    list: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    clear() {
      mails = [];
    },
  };
}

const written = ({ name, address }: Address) => (name ? `${name} <${address ?? ''}>` : (address ?? ''));
