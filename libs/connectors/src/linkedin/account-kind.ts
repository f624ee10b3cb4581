import type { AccountKind } from '../checks/check-content.ts';

/** Pages are organizations to LinkedIn: `urn:li:organization:…`; a person is `urn:li:person:…`. */
export const accountKind = (accountId: string): AccountKind => (accountId.startsWith('urn:li:organization:') ? 'organization' : 'member');
