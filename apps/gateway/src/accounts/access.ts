export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

/** The role of a user in an organization. Each role includes the permissions of those before it. */
export type Role = (typeof ROLES)[number];

/** The callers that an operation permits. */
export interface Access {
  /** Whether API keys are permitted. Keys have full access to their organization, except for operations about people. */
  readonly keys: boolean;
  /** The lowest permitted role of a signed-in user. */
  readonly users: Role;
}

/** The kinds of access that operations have. */
export const access = {
  read: { keys: true, users: 'viewer' },
  write: { keys: true, users: 'editor' },
  manage: { keys: true, users: 'admin' },
  /** @param least the lowest permitted role */
  usersOnly: (least: Role): Access => ({ keys: false, users: least }),
} as const;

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
