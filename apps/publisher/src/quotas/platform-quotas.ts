import { connectors, PLATFORMS, type Platform } from '@fanfare/connectors';
import { z } from 'zod';

/** Limits of the platforms' quotas, as set by operators: `{"youtube": {"videos_insert": 1000}, "x": {"spend_millidollars": 50000}}`. */
export const platformQuotas = z.partialRecord(z.enum(PLATFORMS), z.record(z.string(), z.int().min(1))).superRefine((quotas, context) => {
  for (const [platform, limits] of Object.entries(quotas)) {
    const known = (connectors[platform as Platform].quotas ?? []).map(({ name }) => name);
    for (const name of Object.keys(limits)) {
      if (known.includes(name)) continue;
      const has = known.length > 0 ? `it has ${known.join(', ')}` : 'it has none';
      context.addIssue({ code: 'custom', path: [platform, name], message: `${platform} has no quota with this name; ${has}` });
    }
  }
});
