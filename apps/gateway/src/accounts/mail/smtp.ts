import { createTransport } from 'nodemailer';
import type { OutgoingMail } from './sealed-mail.ts';

/** Hands mails over to a mail server. */
export interface Smtp {
  /** @throws Error of nodemailer; see `mailFailure` */
  send(id: string, mail: OutgoingMail): Promise<void>;
  close(): void;
}

const WAIT_MS = 20_000;

/** @param url smtp:// or smtps://, user and password in it @param from our address, with or without a name */
export function createSmtp(url: string, from: string): Smtp {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 4,
    dnsTimeout: WAIT_MS,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    // A mail is text that we wrote: nothing in it makes this process open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(id, { to, subject, text, html, unsubscribeUrl }) {
      await transport.sendMail({
        // The same id when it is sent again after a crash: mail programs show it once.
        messageId: `<${id}@${domain}>`,
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: {
          // Nobody's out-of-office answers to a machine (RFC 3834, 5).
          'Auto-Submitted': 'auto-generated',
          // Mail programs show a button that needs no page (RFC 8058).
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      });
    },
    close: () => transport.close(),
  };
}
