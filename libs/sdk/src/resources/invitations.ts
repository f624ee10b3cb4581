import { answered } from '../answer.ts';
import type { CallOptions, OnceOptions } from '../call-options.ts';
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

export const invitations = ({ plain, once }: Caller) => ({
  list: (query: ListInvitationsData['query'] = {}, options?: CallOptions) =>
    listing((cursor) => answered(listInvitations({ ...plain(options), query: { ...query, ...(cursor && { cursor }) } }))),
  get: (invitation_id: string, query: GetInvitationData['query'] = {}, options?: CallOptions) =>
    answered(getInvitation({ ...plain(options), path: { invitation_id }, query })),
  create: (body: CreateInvitation, options?: OnceOptions) => answered(createInvitation({ ...once(options), body })),
  cancel: (invitation_id: string, query: CancelInvitationData['query'] = {}, options?: CallOptions) =>
    answered(cancelInvitation({ ...plain(options), path: { invitation_id }, query })),
  resend: (invitation_id: string, body: ResendInvitation = {}, options?: CallOptions) =>
    answered(resendInvitation({ ...plain(options), path: { invitation_id }, body })),
  accept: (invitation_id: string, body: AcceptInvitation, options?: CallOptions) =>
    answered(acceptInvitation({ ...plain(options), path: { invitation_id }, body })),
});
