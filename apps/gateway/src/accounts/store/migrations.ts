import { createInboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createAccountIndexes, createVerificationValueIndex } from './accounts.ts';
import { keepLineages } from './api-key-lineages.ts';
import { createApiKeyEndIndexes, createApiKeyIndexes } from './api-keys.ts';
import { createAuditEntryIndexes } from './audit-entries.ts';
import { createDeletionIndexes } from './deletions.ts';
import { createExportIndexes } from './exports.ts';
import { createDigestIndexes } from './digests.ts';
import { createInvitationIndexes } from './invitations.ts';
import { createMailIndexes } from './mails.ts';
import { createMemberIndexes, moveMembershipsOutOfUsers } from './members.ts';
import { createNoticeIndexes } from './notices.ts';
import { createOrganizationListIndex } from './organizations.ts';
import { createUserListIndex } from './persons.ts';
import { seedAnonymousPlan, seedDefaultPlan } from './plans.ts';
import { createSessionIndexes } from './sessions.ts';
import { createSignInAddressIndexes } from './sign-in-addresses.ts';
import { createSignUpIndexes } from './sign-ups.ts';
import { createThrottleIndexes } from './throttles.ts';
import { createUserIndexes } from './users.ts';

export const accountMigrations: readonly Migration[] = [
  {
    id: '0001-indexes',
    async up(db) {
      await createApiKeyIndexes(db);
      await createUserIndexes(db);
    },
  },
  { id: '0002-default-plan', up: seedDefaultPlan },
  { id: '0003-audit-indexes', up: createAuditEntryIndexes },
  { id: '0004-mail-indexes', up: createMailIndexes },
  { id: '0005-api-key-ends', up: createApiKeyEndIndexes },
  { id: '0011-anonymous-plan', up: seedAnonymousPlan },
  {
    id: '0020-identity',
    async up(db) {
      await createAccountIndexes(db);
      await createMemberIndexes(db);
      await createSessionIndexes(db);
      await createInvitationIndexes(db);
      await createThrottleIndexes(db);
      await moveMembershipsOutOfUsers(db);
    },
  },
  { id: '0021-verification-values', up: createVerificationValueIndex },
  { id: '0022-sign-in-addresses', up: createSignInAddressIndexes },
  { id: '0023-sign-ups', up: createSignUpIndexes },
  { id: '0024-api-key-lineages', up: keepLineages },
  {
    id: '0025-operators-lists',
    async up(db) {
      await createOrganizationListIndex(db);
      await createUserListIndex(db);
    },
  },
  {
    id: '0027-notices',
    async up(db) {
      await createInboxIndexes(db);
      await createNoticeIndexes(db);
      await createDigestIndexes(db);
    },
  },
  // For users that a gateway from before 0020 created while it ran beside a newer one.
  { id: '0028-memberships-of-late-users', up: moveMembershipsOutOfUsers },
  { id: '0040-deletions', up: createDeletionIndexes },
  { id: '0041-exports', up: createExportIndexes },
];
