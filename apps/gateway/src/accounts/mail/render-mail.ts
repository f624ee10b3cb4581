import type { Config } from '../../config.ts';
import { asWords } from '../../text/plain-name.ts';
import { layOutHtml, layOutText } from './layout.ts';
import { accountExists } from './templates/account-exists.ts';
import { deleted } from './templates/deleted.ts';
import { deletionRequested } from './templates/deletion-requested.ts';
import { failures } from './templates/failures.ts';
import { feedback } from './templates/feedback.ts';
import { invitation } from './templates/invitation.ts';
import { passwordChanged } from './templates/password-changed.ts';
import { passwordReset } from './templates/password-reset.ts';
import type { MailContent } from './templates/template.ts';
import { verification } from './templates/verification.ts';
import { webhookDisabled } from './templates/webhook-disabled.ts';

const templates = {
  account_exists: accountExists,
  verification,
  password_reset: passwordReset,
  password_changed: passwordChanged,
  invitation,
  failures,
  feedback,
  webhook_disabled: webhookDisabled,
  deletion_requested: deletionRequested,
  deleted,
};

export type Template = keyof typeof templates;

/** The values that a template needs. */
export type MailData<T extends Template> = Parameters<(typeof templates)[T]>[0];

export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Turns off mails of this kind (RFC 8058). */
  readonly unsubscribeUrl?: string;
}

export function renderMail<T extends Template>(
  { baseUrl, consoleUrl }: Pick<Config, 'baseUrl' | 'consoleUrl'>,
  template: T,
  data: MailData<T>,
): WrittenMail {
  const {
    subject,
    paragraphs,
    items = [],
    afterItems = '',
    footnote,
    unsubscribePath,
    ...rest
  } = (templates[template] as (data: MailData<T>) => MailContent)(data);
  // The only links in a mail are its button, its items and the unsubscribe link, whatever texts a template contains.
  const content = {
    ...rest,
    subject: asWords(subject).slice(0, MAX_SUBJECT),
    paragraphs: paragraphs.map(asWords),
    items: items.map(({ title, lines, path }) => ({ title: asWords(title), lines: lines.map(asWords), path })),
    afterItems: asWords(afterItems),
    footnote: asWords(footnote),
  };
  const unsubscribe = unsubscribePath === undefined ? {} : { unsubscribeUrl: baseUrl + unsubscribePath };
  const urls = { consoleUrl, ...unsubscribe };
  return { subject: content.subject, text: layOutText(content, urls), html: layOutHtml(content, urls), ...unsubscribe };
}

const MAX_SUBJECT = 200;
