import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../../context.ts';
import { cancelDeletion } from './cancel-deletion.ts';
import { createApiKey } from './create-api-key.ts';
import { createOrganization } from './create-organization.ts';
import { createUser } from './create-user.ts';
import { disableUser } from './disable-user.ts';
import { enableUser } from './enable-user.ts';
import { expediteDeletion } from './expedite-deletion.ts';
import { getOrganization } from './get-organization.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listDeletions } from './list-deletions.ts';
import { listOrganizations } from './list-organizations.ts';
import { listPlans } from './list-plans.ts';
import { listUsers } from './list-users.ts';
import { putPlan } from './put-plan.ts';
import { requestDeletion } from './request-deletion.ts';
import { restoreOrganization } from './restore-organization.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { setOrganizationPlan } from './set-organization-plan.ts';
import { suspendOrganization } from './suspend-organization.ts';

/** Those of feedback and of dead letters are no part of accounts. */
type Elsewhere = 'listFeedback' | 'listDeadLetters' | 'getDeadLetter' | 'replayDeadLetters';

export const handlers = (context: Context): Omit<Handlers<typeof AdminServiceService>, Elsewhere> => ({
  cancelDeletion: cancelDeletion(context),
  createApiKey: createApiKey(context),
  createOrganization: createOrganization(context),
  createUser: createUser(context),
  disableUser: disableUser(context),
  enableUser: enableUser(context),
  expediteDeletion: expediteDeletion(context),
  getOrganization: getOrganization(context),
  listApiKeys: listApiKeys(context),
  listDeletions: listDeletions(context),
  listOrganizations: listOrganizations(context),
  listPlans: listPlans(context),
  listUsers: listUsers(context),
  putPlan: putPlan(context),
  requestDeletion: requestDeletion(context),
  restoreOrganization: restoreOrganization(context),
  revokeApiKey: revokeApiKey(context),
  setOrganizationPlan: setOrganizationPlan(context),
  suspendOrganization: suspendOrganization(context),
});
