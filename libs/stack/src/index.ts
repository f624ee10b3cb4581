export { connectAccounts, listConnected, type AccountsWanted } from './connect-accounts.ts';
export { createOwner, type Owner } from './create-owner.ts';
export { createTenant, type Tenant } from './create-tenant.ts';
export { developmentPlan } from './development-plan.ts';
export { createOperator, type AdminAddresses, type Operator } from './operator.ts';
