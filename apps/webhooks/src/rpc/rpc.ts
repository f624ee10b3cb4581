import type { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof WebhooksServiceService> = (context: Context) => Handlers<typeof WebhooksServiceService>[M];
