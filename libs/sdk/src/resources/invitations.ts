import { answered } from '../answer.ts';
import type { CallOptions, EditOptions, OnceOptions } from '../call-options.ts';
import type { Caller } from '../caller.ts';
import { acceptInvitation, cancelInvitation, createInvitation, getInvitation, listInvitations, resendInvitation } from '../gen/sdk.gen.ts';
import type {
  AcceptInvitation,
  CancelInvitationData,
  CreateInvitation,
  GetInvitationData,
  ListInvitationsData,
  ResendInvitation,
} from '../gen/types.gen.ts';
import { listing } from '../pages.ts';

export const invitations = ({ plain, once, edit }: Caller) => ({
  list: (query: ListInvitationsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listInvitations({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (invitation_id: string, query: GetInvitationData['query'] = {}, options?: CallOptions) =>
    answered(getInvitation({ ...plain(options), path: { invitation_id }, query })),
  create: (body: CreateInvitation, options?: OnceOptions) => answered(createInvitation({ ...once(options), body })),
  cancel: (invitation_id: string, query: CancelInvitationData['query'] = {}, options?: EditOptions) =>
    answered(cancelInvitation({ ...edit(options), path: { invitation_id }, query })),
  resend: (invitation_id: string, body: ResendInvitation = {}, options?: EditOptions) =>
    answered(resendInvitation({ ...edit(options), path: { invitation_id }, body })),
  accept: (invitation_id: string, body: AcceptInvitation, options?: CallOptions) =>
    answered(acceptInvitation({ ...plain(options), path: { invitation_id }, body })),
});
