import { PLATFORMS } from '@fanfare/connectors';
import type { Rpc } from './rpc.ts';

export const listPlatformHealth: Rpc<'listPlatformHealth'> =
  ({ platformLimits }) =>
  async () => ({ platforms: PLATFORMS.map((platform) => ({ platform, inTrouble: platformLimits.isInTrouble(platform) })) });
