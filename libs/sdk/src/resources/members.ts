import { answered } from '../answer.ts';
import type { CallOptions, EditOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { getMember, listMembers, removeMember, updateMember } from '../gen/sdk.gen.ts';
import type { GetMemberData, ListMembersData, RemoveMemberData, UpdateMember } from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const members = ({ plain, edit }: Caller) => ({
  list: (query: ListMembersData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listMembers({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (user_id: string, query: GetMemberData['query'] = {}, options?: CallOptions) =>
    answered(getMember({ ...plain(options), path: { user_id }, query })),
  update: (user_id: string, body: UpdateMember, options?: EditOptions) =>
    answered(updateMember({ ...edit(options), path: { user_id }, body })),
  remove: (user_id: string, query: RemoveMemberData['query'] = {}, options?: EditOptions) =>
    answered(removeMember({ ...edit(options), path: { user_id }, query })),
});
