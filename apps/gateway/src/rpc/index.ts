import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createApiKey } from './create-api-key.ts';
import { createOrganization } from './create-organization.ts';
import { createUser } from './create-user.ts';
import { getOrganization } from './get-organization.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listPlans } from './list-plans.ts';
import { putPlan } from './put-plan.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { setOrganizationPlan } from './set-organization-plan.ts';

export const handlers = (context: Context): Handlers<typeof AdminServiceService> => ({
  createApiKey: createApiKey(context),
  createOrganization: createOrganization(context),
  createUser: createUser(context),
  getOrganization: getOrganization(context),
  listApiKeys: listApiKeys(context),
  listPlans: listPlans(context),
  putPlan: putPlan(context),
  revokeApiKey: revokeApiKey(context),
  setOrganizationPlan: setOrganizationPlan(context),
});
