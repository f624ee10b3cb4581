// What other folders use of people, organizations, keys, mail and the audit log.
export { type Access, access, isAtLeast, ROLES } from './access.ts';
export { addressSubject } from './address-subject.ts';
export { auditRequest, recordAudit } from './audit/audit.ts';
export { checkRevision } from './check-revision.ts';
export { subscriptions } from './consumers/index.ts';
export { createDeletionReader, type DeletionReader } from './deletions/deletion-reader.ts';
export { cancelDeletion, type Deleted, idsOf as idsOfDeletion, requestDeletion } from './deletions/deletion-request.ts';
export { mailDeletion } from './deletions/mail-deletion.ts';
export { requestExport, type ShownExport } from './exports/export-request.ts';
export { setClosures } from './deletions/set-closures.ts';
export type { EndedKey } from './people/end-keys.ts';
export { createKey, type IssuedKey, type KeyWanted, rotateKey } from './keys/issue-key.ts';
export { createKeyUsage, type KeyUsage } from './keys/key-usage.ts';
export { revokeKey } from './keys/revoke-key.ts';
export { CACHE_TTL_MS, createCallerCache, type CallerCache } from './callers/caller-cache.ts';
export { queueMail } from './mail/queue-mail.ts';
export { startMailSender } from './mail/mail-sender.ts';
export { startDigests } from './notices/digest-loop.ts';
export { arriveFromOidc, beginOidc, finishOidc } from './oidc/oidc-sign-in.ts';
export { MAX_PASSWORD, MIN_PASSWORD, newPassword, triedPassword } from './passwords/password-rules.ts';
export { pageRequest } from './operator-requests/page-request.ts';
export { requiredOrganization } from './operator-requests/required.ts';
export { changePassword, forgotPassword, resetPassword, userOfReset } from './passwords/passwords.ts';
export { type Acting, checkActing } from './people/acting.ts';
export { emailInput } from './people/email.ts';
export { acceptAsUser, cancelInvitation, invitationOf, invite, resendInvitation } from './people/invitations.ts';
export { type Changer, changeRole, removeMember } from './people/members.ts';
export { renameOrganization } from './people/rename-organization.ts';
export { handlers as adminHandlers } from './rpc/index.ts';
export { ACCESS_TOKEN_SECONDS } from './sign-in/access-tokens.ts';
export { type Client, clientOf } from './sign-in/client.ts';
export { createIdentity, type Identity } from './sign-in/identity.ts';
export { endOtherSessions, endSession, signOut } from './sign-in/end-session.ts';
export { refresh } from './sign-in/refresh.ts';
export { signIn } from './sign-in/sign-in.ts';
export { signUp, signUpInvited } from './sign-in/sign-up.ts';
export type { SignedIn } from './sign-in/signed-in.ts';
export { openSignUpOf, resendVerification, verifyEmail } from './sign-in/verify-email.ts';
export { findPasswordHash } from './store/accounts.ts';
export { findActorName } from './store/actors.ts';
export { lineageOf } from './store/api-key-lineages.ts';
export { type ApiKeyDocument, findShownApiKey, listApiKeys } from './store/api-keys.ts';
export { type AuditEntryDocument, listAuditEntries } from './store/audit-entries.ts';
export { findMembership, type Caller, type Membership } from './store/callers.ts';
export {
  closeDeletion,
  type DeletionDocument,
  deletionRows,
  findDeletion,
  deleteDeletionsOfBusinesses,
  endDeletion,
  listDeletions,
  writeDeletion,
  isErasing,
} from './store/deletions.ts';
export { findInvitation, type InvitationDocument, listInvitations, listOpenInvitationsTo } from './store/invitations.ts';
export { findNamedMember, listMembers, type NamedMember } from './store/members.ts';
export { accountMigrations } from './store/migrations.ts';
export { NOTICE_KINDS } from './store/notices.ts';
export {
  deleteOrganization,
  findOrganization,
  listOrganizations,
  markOrganizationErasing,
  type OrganizationDocument,
} from './store/organizations.ts';
export { ANONYMOUS_PLAN, DEFAULT_PLAN, findPlan, type PlanDocument } from './store/plans.ts';
export { listSessions, type SessionDocument } from './store/sessions.ts';
export { findUser, findUserByEmail, updateUser, type UserDocument } from './store/users.ts';
export { completeExport, type ExportDocument, exportRows, failExport } from './store/exports.ts';
