import type { LibraryServiceService } from '@fanfare/contracts/library';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** A handler of LibraryService. */
export type Rpc<M extends keyof typeof LibraryServiceService> = (context: Context) => Handlers<typeof LibraryServiceService>[M];
