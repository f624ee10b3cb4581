import type { PublisherServiceService } from '@fanfare/contracts/publisher';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof PublisherServiceService> = (context: Context) => Handlers<typeof PublisherServiceService>[M];
