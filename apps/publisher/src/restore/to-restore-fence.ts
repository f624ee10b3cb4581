import type { RestoreFence } from '@fanfare/contracts/publisher';
import type { Db } from 'mongodb';
import type { RestoreFenceDocument } from './store/restore-fence.ts';
import { countRestored } from './store/restored-deliveries.ts';

export async function toRestoreFence(db: Db, { since, until, raised_at, lifted_at }: RestoreFenceDocument): Promise<RestoreFence> {
  return { since, until, raisedAt: raised_at, liftedAt: lifted_at, ...(await countRestored(db, since)) };
}
