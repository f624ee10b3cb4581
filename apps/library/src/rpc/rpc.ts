import type { LibraryServiceService } from '@fanfare/contracts/library';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** One handler of this service's contract. */
export type Rpc<M extends keyof typeof LibraryServiceService> = (context: Context) => Handlers<typeof LibraryServiceService>[M];
