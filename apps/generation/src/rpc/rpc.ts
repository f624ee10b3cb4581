import type { GenerationServiceService } from '@fanfare/contracts/generation';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof GenerationServiceService> = (context: Context) => Handlers<typeof GenerationServiceService>[M];
