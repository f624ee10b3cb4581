import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../../context.ts';

/** One handler of the operators' contract. */
export type Rpc<M extends keyof typeof AdminServiceService> = (context: Context) => Handlers<typeof AdminServiceService>[M];
