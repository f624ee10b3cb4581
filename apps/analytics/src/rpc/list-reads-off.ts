import type { Rpc } from './rpc.ts';

export const listReadsOff: Rpc<'listReadsOff'> =
  ({ config }) =>
  () =>
    Promise.resolve({ platforms: [...config.readsOff] });
