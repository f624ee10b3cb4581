import type { Letter } from './template.ts';

export const webhookDisabled = (data: { organization: string; url: string; webhookId: string; reason: string }): Letter => ({
  subject: 'A webhook endpoint was disabled',
  paragraphs: [
    'Hello,',
    `${data.organization} has a webhook endpoint that has failed for days, so we stopped sending to it: ${data.url}`,
    `The last attempt ended with: ${data.reason}`,
    'Repair it and enable it again; what was not delivered can be sent again from its list of deliveries.',
  ],
  button: { label: 'See the endpoint', path: `/settings/webhooks/${encodeURIComponent(data.webhookId)}` },
  footnote: 'You get this mail because you are an owner of the organization.',
});
