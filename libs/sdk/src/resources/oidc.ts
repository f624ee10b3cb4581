import { answered } from '../answer.ts';
import type { CallOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { beginOidcSignIn, finishOidcSignIn, listOidcProviders } from '../gen/sdk.gen.ts';
import type { BeginOidcSignIn, FinishOidcSignIn } from '../gen/types.gen.ts';

export const oidc = ({ plain }: Caller) => ({
  listProviders: (options?: CallOptions) => answered(listOidcProviders({ ...plain(options) })),
  begin: (provider_id: string, body: BeginOidcSignIn, options?: CallOptions) =>
    answered(beginOidcSignIn({ ...plain(options), path: { provider: provider_id }, body })),
  finish: (body: FinishOidcSignIn, options?: CallOptions) => answered(finishOidcSignIn({ ...plain(options), body })),
});
