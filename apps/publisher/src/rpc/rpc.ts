import { PublisherServiceService } from '@fanfare/contracts/publisher';
import { ClosureServiceService, ErasureServiceService } from '@fanfare/contracts/erasure';
import { TimelineServiceService } from '@fanfare/contracts/timeline';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** The methods that this service serves. */
export const served = { ...PublisherServiceService, ...TimelineServiceService, ...ClosureServiceService, ...ErasureServiceService };

/** A handler of one of them. */
export type Rpc<M extends keyof typeof served> = (context: Context) => Handlers<typeof served>[M];
