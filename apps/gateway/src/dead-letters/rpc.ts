import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';

/** A handler of one method about dead letters. */
export type Rpc<M extends 'listDeadLetters' | 'getDeadLetter' | 'replayDeadLetters'> = (
  context: Context,
) => Handlers<typeof AdminServiceService>[M];
