import type { Letter } from './template.ts';

export const webhookDisabled = (data: { organization: string; url: string; webhookId: string; reason: string }): Letter => ({
  subject: 'A webhook endpoint was disabled',
  paragraphs: [
    'Hello,',
    `A webhook endpoint of ${data.organization} has failed for days, so we stopped sending to it: ${data.url}`,
    `The last attempt ended with: ${data.reason}`,
    'Fix the endpoint and enable it again. You can resend missed events from its list of deliveries.',
  ],
  button: { label: 'See the endpoint', path: `/settings/webhooks/${encodeURIComponent(data.webhookId)}` },
  footnote: 'You get this email because you are an owner of the organization.',
});
