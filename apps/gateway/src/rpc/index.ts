import type { AdminServiceService } from '@fanfare/contracts/gateway';
import type { Handlers } from '@fanfare/rpc';
import type { Context } from '../context.ts';
import { createApiKey } from './create-api-key.ts';
import { createOrganization } from './create-organization.ts';
import { createUser } from './create-user.ts';
import { getOrganization } from './get-organization.ts';
import { putPlan } from './put-plan.ts';

export const handlers = (context: Context): Handlers<typeof AdminServiceService> => ({
  createApiKey: createApiKey(context),
  createOrganization: createOrganization(context),
  createUser: createUser(context),
  getOrganization: getOrganization(context),
  putPlan: putPlan(context),
});
