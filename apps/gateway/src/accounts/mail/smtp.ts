import { isLoopback } from '@fanfare/runtime';
import { createTransport } from 'nodemailer';
import type { OutgoingMail } from './sealed-mail.ts';

/** Sends mails by a mail server. */
export interface Smtp {
  /** @throws Error of nodemailer; see `mailFailure` */
  send(id: string, mail: OutgoingMail): Promise<void>;
  close(): void;
}

const WAIT_MS = 20_000;

/** @param url smtp:// or smtps://, with user and password, which leave this machine only by TLS @param from the sender's address, with or without a name */
export function createSmtp(url: string, from: string): Smtp {
  const { hostname, password } = new URL(url);
  const transport = createTransport({
    url,
    // Otherwise STARTTLS is used only if the server offers it, and anybody between can take the offer out of its response.
    requireTLS: password !== '' && !isLoopback(hostname),
    pool: true,
    maxConnections: 4,
    dnsTimeout: WAIT_MS,
    connectionTimeout: WAIT_MS,
    greetingTimeout: WAIT_MS,
    socketTimeout: WAIT_MS,
    // Nothing in a mail may make nodemailer open a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send(id, { to, subject, text, html, unsubscribeUrl }) {
      await transport.sendMail({
        // Stays the same if the mail is sent again after a crash, so that mail programs show it once.
        messageId: `<${id}@${domain}>`,
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        headers: {
          // Prevents automatic replies such as out-of-office messages (RFC 3834, 5).
          'Auto-Submitted': 'auto-generated',
          // Mail programs show an unsubscribe button that opens no page (RFC 8058).
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
