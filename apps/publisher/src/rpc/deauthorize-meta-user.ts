import { deauthorizeMetaUser as deauthorize } from '../meta/deauthorize-meta-user.ts';
import type { Rpc } from './rpc.ts';

export const deauthorizeMetaUser: Rpc<'deauthorizeMetaUser'> =
  (context) =>
  async ({ signedRequest }, call) => {
    await deauthorize(context, signedRequest, call);
    return {};
  };
