import { connectors, PLATFORMS, type Platform } from '@fanfare/connectors';
import { z } from 'zod';

/** What operators allow of the platforms' budgets: `{"youtube": {"videos_insert": 1000}, "x": {"spend_millidollars": 50000}}`. */
export const platformBudgets = z.partialRecord(z.enum(PLATFORMS), z.record(z.string(), z.int().min(1))).superRefine((budgets, context) => {
  for (const [platform, limits] of Object.entries(budgets)) {
    const known = (connectors[platform as Platform].budgets ?? []).map(({ name }) => name);
    for (const name of Object.keys(limits)) {
      if (known.includes(name)) continue;
      const has = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none';
      context.addIssue({ code: 'custom', path: [platform, name], message: `${platform} has no budget of this name; ${has}` });
    }
  }
});

export type PlatformBudgets = z.infer<typeof platformBudgets>;
