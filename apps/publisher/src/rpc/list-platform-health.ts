import { PLATFORMS } from '@fanfare/connectors';
import { findOldestDue } from '../deliveries/store/oldest-due.ts';
import type { Rpc } from './rpc.ts';

export const listPlatformHealth: Rpc<'listPlatformHealth'> =
  ({ db, paused, platformLimits }) =>
  async () => {
    const oldest = new Map((await findOldestDue(db, await paused())).map(({ platform, dueAt }) => [platform, dueAt]));
    return {
      platforms: PLATFORMS.map((platform) => ({
        platform,
        inTrouble: platformLimits.isInTrouble(platform),
        oldestDueAt: oldest.get(platform),
      })),
    };
  };
