import type { MailContent } from './template.ts';

export const webhookDisabled = (of: {
  readonly name: string;
  readonly organization: string;
  readonly host: string;
  /** Whether it responded with 410; otherwise it has failed for five days. */
  readonly isGone: boolean;
  readonly endpointId: string;
  /** Empty if it has none. */
  readonly description: string;
  readonly lastError: string;
  readonly path: string;
}): MailContent => ({
  subject: `A webhook endpoint of ${of.organization} was disabled`,
  paragraphs: [
    `Hello ${of.name},`,
    of.isGone
      ? `We disabled the webhook endpoint at ${of.host}, because it responded with 410 Gone. No events are sent to it any more.`
      : `We disabled the webhook endpoint at ${of.host}, because every attempt has failed for five days. No events are sent to it any more.`,
    `The last error: ${of.lastError}`,
    `The endpoint: ${of.endpointId}${of.description === '' ? '' : `, ${of.description}`}`,
    'When it works again, enable it, and send what it has missed: events are kept for 30 days.',
  ],
  button: { label: 'Show the endpoint', path: of.path },
  footnote: 'You get this email because you are an owner of the organization.',
});
