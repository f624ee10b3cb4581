import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../../context.ts';

/** A handler of one method of the operators' service. */
export type Rpc<M extends keyof typeof AdminServiceService> = (context: Context) => Handlers<typeof AdminServiceService>[M];
