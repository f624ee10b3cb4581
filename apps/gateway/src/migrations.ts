import { createInboxIndexes } from '@fanfare/events';
import type { Migration } from '@fanfare/mongo';
import { createAccountIndexes, createVerificationValueIndex } from './accounts/store/accounts.ts';
import { keepLineages } from './accounts/store/api-key-lineages.ts';
import { createApiKeyEndIndexes, createApiKeyIndexes } from './accounts/store/api-keys.ts';
import { createAuditEntryIndexes } from './accounts/store/audit-entries.ts';
import { createDigestIndexes } from './accounts/store/digests.ts';
import { createMailIndexes } from './accounts/store/mails.ts';
import { createIdempotencyIndexes } from './http/store/idempotency-records.ts';
import { createFeedbackIndexes } from './api/feedback/store/feedback.ts';
import { createInvitationIndexes } from './accounts/store/invitations.ts';
import { createMemberIndexes, moveMembershipsOutOfUsers } from './accounts/store/members.ts';
import { createNoticeIndexes } from './accounts/store/notices.ts';
import { createOrganizationListIndex } from './accounts/store/organizations.ts';
import { createUserListIndex } from './accounts/store/persons.ts';
import { seedAnonymousPlan, seedDefaultPlan } from './accounts/store/plans.ts';
import { countKeysByOrganization, createRateWindowIndexes } from './http/store/rate-windows.ts';
import { createSessionIndexes } from './accounts/store/sessions.ts';
import { createSignInAddressIndexes } from './accounts/store/sign-in-addresses.ts';
import { createSignUpIndexes } from './accounts/store/sign-ups.ts';
import { createThrottleIndexes } from './accounts/store/throttles.ts';
import { createUserIndexes } from './accounts/store/users.ts';

export const migrations: readonly Migration[] = [
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
  { id: '0006-feedback-indexes', up: createFeedbackIndexes },
  { id: '0010-rate-window-indexes', up: createRateWindowIndexes },
  { id: '0011-anonymous-plan', up: seedAnonymousPlan },
  { id: '0012-idempotency-indexes', up: createIdempotencyIndexes },
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
  { id: '0026-windows-of-organizations', up: countKeysByOrganization },
  {
    id: '0027-notices',
    async up(db) {
      await createInboxIndexes(db);
      await createNoticeIndexes(db);
      await createDigestIndexes(db);
    },
  },
];
