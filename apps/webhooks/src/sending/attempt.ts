import { FetchError, type BegunResponse } from '@fanfare/guarded-http';
import { downgradeEvent, eventFromProto } from '@fanfare/resources';
import { currentTime, now } from '@fanfare/runtime';
import { Webhook } from 'standardwebhooks';
import type { Context } from '../context.ts';
import type { AttemptDocument, ExchangedDocument } from '../deliveries/delivery.ts';
import type { EndpointDocument, EndpointSecrets } from '../endpoints/endpoint.ts';
import { validFormer } from '../endpoints/secrets.ts';
import type { EventDocument } from '../feed/event.ts';
import { toEvent } from '../feed/to-event.ts';
import { discordBody } from '../formats/discord.ts';
import { slackBody } from '../formats/slack.ts';
import { inWords } from './failure.ts';
import { secretsIn, withoutSecrets } from './without-secrets.ts';

/** What is stored of a body. */
const MAX_BODY_BYTES = 64 * 1024;
/** A response counts when its status has arrived. Its body is only for the log. */
const BODY_MS = 1_000;

export interface Attempted {
  readonly attempt: AttemptDocument;
  readonly isAccepted: boolean;
  /** The endpoint wants no webhooks any more. */
  readonly isGone: boolean;
  /** The wait that the endpoint requested. */
  readonly retryAfterMs?: number | undefined;
}

/** Sends an event to an endpoint once. @throws the reason of `signal` if it was aborted; nothing is known of the result then */
export async function attempt(
  { config, web }: Pick<Context, 'config' | 'web'>,
  endpoint: EndpointDocument,
  secrets: EndpointSecrets,
  event: EventDocument,
  signal: AbortSignal,
): Promise<Attempted> {
  const at = now(endpoint.organization_id);
  // Receivers compare it with their own clocks.
  const sentAt = currentTime();
  const begun = performance.now();
  const body = bodyOf(endpoint, event);
  const shown = { 'content-type': 'application/json', 'user-agent': 'Fanfare-Webhooks/1.0', ...idsOf(endpoint, event, sentAt) };
  const own = Object.fromEntries(secrets.headers.map(({ name, value }) => [name.toLowerCase(), value]));
  const signatures = signaturesOf(endpoint, validSecrets(secrets, at), event, sentAt, body);
  const headers = { ...own, ...shown, ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }) };
  const request: ExchangedDocument = {
    headers: { ...shown, ...Object.fromEntries(Object.keys(own).map((name) => [name, '[redacted]'])) },
    ...cut(body),
  };
  const made = (more: Partial<AttemptDocument>): AttemptDocument => ({
    at,
    duration_ms: Math.round(performance.now() - begun),
    request,
    ...more,
  });
  try {
    const options = {
      method: 'POST',
      headers,
      body,
      maxBytes: MAX_BODY_BYTES,
      timeoutMs: config.sending.timeoutMs,
      bodyMs: BODY_MS,
    } as const;
    const response = await web.begin(secrets.url, { ...options, signal });
    const { status } = response;
    const isAccepted = status >= 200 && status < 300;
    const received = { status_code: status, response: toStored(response, [...secretsIn(secrets), ...signatures]) };
    return {
      attempt: made(isAccepted ? received : { ...received, error: inWords(status) }),
      isAccepted,
      isGone: status === 410,
      retryAfterMs: isAccepted ? undefined : retryAfterMs(response.headers['retry-after'], sentAt),
    };
  } catch (error) {
    if (!(error instanceof FetchError)) throw error;
    return { attempt: made({ error: inWords(error) }), isAccepted: false, isGone: false };
  }
}

function bodyOf({ format, version }: EndpointDocument, event: EventDocument): string {
  const body = eventFromProto(toEvent(event));
  if (format === 'slack') return slackBody(body);
  if (format === 'discord') return discordBody(body);
  return JSON.stringify(downgradeEvent(version)(body));
}

const idsOf = ({ format }: EndpointDocument, { _id }: EventDocument, at: Date): Record<string, string> =>
  format === 'standard' ? { 'webhook-id': _id, 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)) } : {};

/** With former secrets too, for as long as they are valid. */
const validSecrets = (secrets: EndpointSecrets, at: Date): string[] => [
  secrets.secret,
  ...validFormer(secrets, at).map(({ secret }) => secret),
];

function signaturesOf({ format }: EndpointDocument, secrets: readonly string[], { _id }: EventDocument, at: Date, body: string): string[] {
  return format === 'standard' ? secrets.map((one) => new Webhook(one).sign(_id, at, body)) : [];
}

/** Headers of a response whose values are secrets of the endpoint. */
const OF_ENDPOINT: ReadonlySet<string> = new Set(['set-cookie', 'authorization']);

/** @param secrets what must not be stored */
function toStored({ headers, body, isCut }: BegunResponse, secrets: readonly string[]): ExchangedDocument {
  const texts = Object.entries(headers).map(([name, value]) => [
    name.replaceAll('.', '_'),
    OF_ENDPOINT.has(name) ? '[redacted]' : withoutSecrets(value, secrets),
  ]);
  return {
    headers: Object.fromEntries(texts) as Record<string, string>,
    body: withoutSecrets(body.toString('utf8'), secrets),
    is_cut: isCut,
  };
}

function cut(text: string): Pick<ExchangedDocument, 'body' | 'is_cut'> {
  const bytes = Buffer.from(text);
  return bytes.length <= MAX_BODY_BYTES
    ? { body: text, is_cut: false }
    : { body: bytes.subarray(0, MAX_BODY_BYTES).toString('utf8'), is_cut: true };
}

/** Seconds or a date (RFC 9110, 10.2.3); undefined if it is neither. */
function retryAfterMs(header: string | undefined, at: Date): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - at.getTime();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
