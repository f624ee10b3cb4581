import { WebhooksServiceService } from '@fanfare/contracts/webhooks';
import { ErasureServiceService } from '@fanfare/contracts/erasure';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** The methods that this service serves. */
export const served = { ...WebhooksServiceService, ...ErasureServiceService };

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof served> = (context: Context) => Handlers<typeof served>[M];
