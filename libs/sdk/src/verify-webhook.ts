import { Webhook } from 'standardwebhooks';
import type { Event } from './gen/types.gen.ts';
import { FanfareError } from './fanfare-error.ts';

/** Headers of a request, as web frameworks have them. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a webhook, and returns its event.
 * @param body the body as it was received, not parsed and formatted again
 * @param secret of the endpoint, `whsec_…`
 * @throws FanfareError `invalid_signature`: it was not signed with this secret, or more than five minutes ago
 */
export function verifyWebhook(body: string | Uint8Array, headers: WebhookHeaders, secret: string): Event {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  try {
    return new Webhook(secret).verify(text, plain(headers)) as Event;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FanfareError(`The webhook is not valid: ${reason}.`, { code: 'invalid_signature', cause });
  }
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

function plain(headers: WebhookHeaders): Record<string, string> {
  const valueOf = (name: string) => (headers instanceof Headers ? headers.get(name) : [headers[name]].flat()[0]);
  return Object.fromEntries(NAMES.map((name) => [name, valueOf(name) ?? '']));
}
