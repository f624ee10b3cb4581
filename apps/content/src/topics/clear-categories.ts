import { startLoop, type Loop } from '@fanfare/runtime';
import type { Context } from '../context.ts';
import { clearCategoryOfTopics } from './store/topics.ts';
import { findUnclearedCategories, markCleared, type CategoryDocument } from '../categories/store/categories.ts';

/** How long topics may keep a category whose deletion was cut short by a crash. */
const PERIOD_MS = 60_000;
const BATCH = 1_000;

/** Finishes deletions that were cut short. Replicas may run it at once: every step can be done twice. */
export function startCategorySweep(context: Context): Loop {
  return startLoop({ name: 'category-sweep', log: context.log, run: () => sweep(context), stalledAfterMs: 3 * PERIOD_MS });
}

/**
 * Takes a deleted category off its topics, by the batch, since they may be too many for one transaction. No topic can get it any more:
 * see `lockCategory`.
 */
export async function clearCategory({ db }: Pick<Context, 'db'>, category: CategoryDocument): Promise<void> {
  if (category.topics_cleared !== false) return;
  while ((await clearCategoryOfTopics(db, category, BATCH)) === BATCH);
  await markCleared(db, category._id);
}

async function sweep(context: Context): Promise<number> {
  for (const category of await findUnclearedCategories(context.db)) {
    await clearCategory(context, category).catch((error: unknown) => {
      const { _id, organization_id } = category;
      context.log.error(
        { err: error, category_id: _id, organization_id },
        'could not take a deleted category off its topics; retrying later',
      );
    });
  }
  return PERIOD_MS;
}
