import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Migration } from '@fanfare/mongo';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { getDeadLetter } from './get-dead-letter.ts';
import { listDeadLetters } from './list-dead-letters.ts';
import { replayDeadLetters } from './replay-dead-letters.ts';
import { createDeadLetterReplayIndexes } from './store/dead-letter-replays.ts';

export const deadLetterHandlers = (
  context: Context,
): Pick<Handlers<typeof AdminServiceService>, 'listDeadLetters' | 'getDeadLetter' | 'replayDeadLetters'> => ({
  listDeadLetters: listDeadLetters(context),
  getDeadLetter: getDeadLetter(context),
  replayDeadLetters: replayDeadLetters(context),
});

export const deadLetterMigrations: readonly Migration[] = [{ id: '0032-dead-letter-replays', up: createDeadLetterReplayIndexes }];
