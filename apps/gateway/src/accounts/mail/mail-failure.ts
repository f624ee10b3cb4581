/** Why a mail could not be sent, in few words, and whether a retry can help. */
export interface MailFailure {
  readonly kind: 'unreachable' | 'sign_in_refused' | 'deferred' | 'recipient_refused' | 'refused' | 'unreadable';
  readonly final: boolean;
}

/** What nodemailer throws: its own code and, if the server responded, the reply and the SMTP command. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * Classifies an error of the mail transport. A 5xx reply is final (RFC 5321, 4.2.1), except for one to our credentials, which an operator has to correct.
 */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode, command = '' } = error as SmtpError;
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530) return { kind: 'sign_in_refused', final: false };
  if (responseCode === undefined) return { kind: 'unreachable', final: false };
  if (responseCode < 500) return { kind: 'deferred', final: false };
  // Rejected before any command about the mail itself: the server does not accept us now.
  if (!/^(MAIL FROM|RCPT TO|DATA)/.test(command)) return { kind: 'unreachable', final: false };
  return { kind: command.startsWith('RCPT TO') ? 'recipient_refused' : 'refused', final: true };
}
