import { counter } from '@fanfare/runtime';

export const mailsEnded = counter('fanfare_mails_ended_total', 'Mails that ended, by how.', ['template', 'outcome']);
export const mailsFailed = counter('fanfare_mail_failures_total', 'Attempts to send a mail that failed, by why.', ['kind']);
export const noticesTold = counter('fanfare_notices_told_total', 'Failures that people were mailed about, or nobody wanted to be.', [
  'kind',
]);
