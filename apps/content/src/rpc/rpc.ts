import type { ContentServiceService } from '@fanfare/contracts/content';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof ContentServiceService> = (context: Context) => Handlers<typeof ContentServiceService>[M];
