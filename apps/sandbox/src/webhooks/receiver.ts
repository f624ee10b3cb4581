import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';

/** How a receiver responds. */
export const behavior = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('accept') }),
  z.strictObject({
    type: z.literal('status'),
    status: z.int().min(200).max(599),
    retry_after: z.int().min(0).max(86_400).optional(),
  }),
  /** Never responds. */
  z.strictObject({ type: z.literal('stall') }),
  /** 200 at once, and then a byte of the body each second, without end. */
  z.strictObject({ type: z.literal('drip') }),
  /** 200 with a body without end. */
  z.strictObject({ type: z.literal('endless') }),
  z.strictObject({ type: z.literal('redirect'), location: z.string().min(1).default('/') }),
  /** Closes the connection. */
  z.strictObject({ type: z.literal('drop') }),
]);

export type Behavior = z.output<typeof behavior>;

export type Signature = 'valid' | 'invalid' | 'unsigned' | 'not checked';

/** A webhook that has arrived. */
export interface ReceivedWebhook {
  readonly id: string;
  /** The receiver: the last part of the path. */
  readonly name: string;
  readonly received_at: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** `not checked`: the receiver has no secret. */
  signature: Signature;
  /** How the receiver responded. */
  readonly behavior: Behavior['type'];
}

export interface Receivers {
  receive(name: string, headers: Readonly<Record<string, string>>, body: string): Behavior;
  /** Sets what is given. The secret also checks what has arrived before. */
  set(
    name: string,
    settings: {
      readonly secret?: string | undefined;
      readonly behavior?: Behavior | undefined;
      readonly times?: number | null | undefined;
    },
  ): void;
  /** The receivers that have received something or were set, and `inbox`. */
  settings(): readonly { readonly name: string; readonly hasSecret: boolean; readonly behavior: Behavior }[];
  /** Newest first. */
  list(): readonly ReceivedWebhook[];
  clear(): void;
}

interface Receiver {
  secret?: string;
  behavior: Behavior;
  /** How often it still behaves like that; null for always. */
  times: number | null;
}

/** The newest ones of all receivers. */
export const KEPT = 5_000;
const ACCEPT: Behavior = { type: 'accept' };

/** All webhooks that have arrived, in memory. */
export function createReceivers(now: () => number): Receivers {
  let all: ReceivedWebhook[] = [];
  const receivers = new Map<string, Receiver>();
  const receiverOf = (name: string): Receiver => {
    const receiver = receivers.get(name) ?? { behavior: ACCEPT, times: null };
    receivers.set(name, receiver);
    return receiver;
  };
  return {
    receive(name, headers, body) {
      const receiver = receiverOf(name);
      const behaves = receiver.times === 0 ? ACCEPT : receiver.behavior;
      if (receiver.times !== null && receiver.times > 0) receiver.times--;
      const received_at = new Date(now()).toISOString();
      const signature = checkSignature(receiver.secret, headers, body);
      all.unshift({ id: randomUUID(), name, received_at, headers, body, signature, behavior: behaves.type });
      if (all.length > KEPT) all.pop();
      return behaves;
    },
    set(name, { secret, behavior: behaves, times = null }) {
      const receiver = receiverOf(name);
      if (secret !== undefined) {
        receiver.secret = secret;
        for (const one of all)
          // It may be of another endpoint with the same URL, or be signed with a former secret.
          if (one.name === name && one.signature === 'not checked' && isSignedWith(secret, one)) one.signature = 'valid';
      }
      if (behaves) Object.assign(receiver, { behavior: behaves, times });
    },
    settings: () =>
      [...new Set(['inbox', ...receivers.keys()])].map((name) => {
        const { secret, behavior: behaves = ACCEPT, times = null } = receivers.get(name) ?? {};
        return { name, hasSecret: secret !== undefined, behavior: times === 0 ? ACCEPT : behaves };
      }),
    list: () => all,
    clear() {
      all = [];
      receivers.clear();
    },
  };
}

/** Whenever it has arrived. */
function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000);
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
}

/** By the published library, as our users do it. */
function checkSignature(secret: string | undefined, headers: Readonly<Record<string, string>>, body: string): Signature {
  if (headers['webhook-signature'] === undefined) return 'unsigned';
  if (secret === undefined) return 'not checked';
  try {
    new Webhook(secret).verify(body, headers);
    return 'valid';
  } catch {
    return 'invalid';
  }
}
