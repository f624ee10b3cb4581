import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { createBusiness, getBusiness, listBusinesses, updateBusiness } from '../gen/sdk.gen.ts';
import type { CreateBusiness, ListBusinessesData, UpdateBusiness } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const businesses = ({ plain, once, edit }: Caller) => ({
  list: (query: ListBusinessesData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listBusinesses({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (business_id: string, options?: CallOptions) => answered(getBusiness({ ...plain(options), path: { business_id } })),
  /** For signed-in owners and admins. */
  create: (body: CreateBusiness, options?: OnceOptions) => answered(createBusiness({ ...once(options), body })),
  /** For signed-in owners and admins. */
  update: (business_id: string, body: UpdateBusiness, options?: EditOptions) =>
    answered(updateBusiness({ ...edit(options), path: { business_id }, body })),
});
