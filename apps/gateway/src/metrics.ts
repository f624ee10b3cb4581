import { counter, histogram } from '@fanfare/runtime';

export const mailsEnded = counter('fanfare_mails_ended_total', 'Emails that were sent or given up, by outcome.', ['template', 'outcome']);
export const mailsFailed = counter('fanfare_mail_failures_total', 'Failed attempts to send an email, by reason.', ['kind']);
export const noticesHandled = counter(
  'fanfare_notices_handled_total',
  'Failures that were included in an email, or that nobody wanted an email about.',
  ['kind'],
);
export const canaryRuns = counter('fanfare_canary_runs_total', 'Attempts to publish a post of the canary, by outcome.', ['outcome']);
export const clockSteps = counter(
  'fanfare_test_clock_steps_total',
  'Times at which a test clock stopped, by whether everything was done then.',
  ['outcome'],
);
export const canarySeconds = histogram('fanfare_canary_seconds', "Time from the creation of a post of the canary's until its result.");
export const businessesErased = counter('fanfare_businesses_erased_total', 'Businesses whose data was erased.');
export const organizationsErased = counter('fanfare_organizations_erased_total', 'Organizations whose data was erased.');
export const exportsEnded = counter('fanfare_exports_ended_total', 'Exports of organizations, by outcome.', ['outcome']);
export const lateDocuments = counter(
  'fanfare_erasure_late_documents_total',
  'Documents and files that were written while their business or organization was erased, and were erased later.',
);
