import { randomBytes } from 'node:crypto';
import { DomainError } from '@fanfare/errors';
import type { Operator } from './operator.ts';

export interface Owner {
  readonly email: string;
  readonly password: string;
}

/** Creates a user who can sign in as the owner of an organization; with another address if this one is in use. */
export async function createOwner(
  operator: Operator,
  { organizationId, email, name }: { organizationId: string; email: string; name: string },
): Promise<Owner> {
  const password = randomBytes(12).toString('base64url');
  const create = (address: string) =>
    operator.gateway.createUser({ organizationId, email: address, name, role: 'owner', password }, operator.as());
  const another = email.replace('@', `-${randomBytes(3).toString('hex')}@`);
  const { user } = await create(email).catch((error: unknown) => {
    if (error instanceof DomainError && error.param === 'email') return create(another);
    throw error;
  });
  return { email: user?.email ?? '', password };
}
