import { bestTimes } from '../reports/best-times.ts';
import type { Rpc } from './rpc.ts';

export const getBestTimes: Rpc<'getBestTimes'> =
  ({ db }) =>
  ({ timeZone, platform }, { metadata }) =>
    bestTimes(db, metadata, timeZone, platform);
