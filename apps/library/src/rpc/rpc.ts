import { LibraryServiceService } from '@fanfare/contracts/library';
import { ErasureServiceService } from '@fanfare/contracts/erasure';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** The methods that this service serves. */
export const served = { ...LibraryServiceService, ...ErasureServiceService };

/** A handler of LibraryService. */
export type Rpc<M extends keyof typeof served> = (context: Context) => Handlers<typeof served>[M];
