import { DomainError } from '@fanfare/errors';
import { newId } from '@fanfare/runtime';
import { z } from 'zod';
import { findOrganization } from '../store/organizations.ts';
import { insertUser, ROLES, toUser, type UserDocument } from '../store/users.ts';
import { required } from './required.ts';
import type { Rpc } from './rpc.ts';

const emailAddress = z.email();

export const createUser: Rpc<'createUser'> =
  ({ db }) =>
  async (request) => {
    const email = request.email.trim().toLowerCase();
    if (!emailAddress.safeParse(email).success)
      throw new DomainError('invalid_value', 'This is not an e-mail address.', { param: 'email' });
    const role = ROLES.find((name) => name === request.role);
    if (!role) throw new DomainError('invalid_value', `A role is one of ${ROLES.join(', ')}.`, { param: 'role' });
    if (!(await findOrganization(db, request.organizationId))) {
      throw new DomainError('invalid_value', 'There is no organization with that id.', { param: 'organization_id' });
    }
    const document: UserDocument = {
      _id: newId(),
      email,
      name: required('name', request.name),
      created_at: new Date(),
      memberships: [{ organization_id: request.organizationId, role }],
    };
    if (!(await insertUser(db, document))) {
      throw new DomainError('invalid_value', 'A user with this e-mail address exists already.', { param: 'email' });
    }
    return { user: toUser(document) };
  };
