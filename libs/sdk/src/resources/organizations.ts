import { answered } from '../answer.ts';
import type { CallOptions, EditOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getOrganization, listOrganizations, updateOrganization } from '../gen/sdk.gen.ts';
import type { UpdateOrganization } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const organizations = ({ plain, edit }: Caller) => ({
  list: (options?: CallOptions) => listing(() => answered(listOrganizations({ ...plain(options) }))),
  get: (organization_id: string, options?: CallOptions) => answered(getOrganization({ ...plain(options), path: { organization_id } })),
  update: (organization_id: string, body: UpdateOrganization, options?: EditOptions) =>
    answered(updateOrganization({ ...edit(options), path: { organization_id }, body })),
});
