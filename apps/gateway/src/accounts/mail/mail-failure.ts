/** Why a mail could not be handed over, in few words, and whether trying again can help. */
export interface MailFailure {
  readonly kind: 'unreachable' | 'sign_in_refused' | 'deferred' | 'recipient_refused' | 'refused' | 'unreadable';
  readonly final: boolean;
}

/** What nodemailer throws: a code of its own and, where the server spoke, its reply and what was asked of it. */
interface SmtpError {
  readonly code?: string;
  readonly responseCode?: number;
  readonly command?: string;
}

/**
 * Reads an error of the mail transport. A reply of 5xx is final (RFC 5321, 4.2.1), but for one to our credentials: that is for an operator to
 * put right, and no fault of the mail.
 */
export function mailFailure(error: unknown): MailFailure {
  const { code, responseCode, command = '' } = error as SmtpError;
  if (code === 'EAUTH' || code === 'ENOAUTH' || responseCode === 530) return { kind: 'sign_in_refused', final: false };
  if (responseCode === undefined) return { kind: 'unreachable', final: false };
  if (responseCode < 500) return { kind: 'deferred', final: false };
  // Refused before any mail was spoken of: the server is not one for us now.
  if (!/^(MAIL FROM|RCPT TO|DATA)/.test(command)) return { kind: 'unreachable', final: false };
  return { kind: command.startsWith('RCPT TO') ? 'recipient_refused' : 'refused', final: true };
}
