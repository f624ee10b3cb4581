export const ROLES = ['viewer', 'editor', 'admin', 'owner'] as const;

/** What a person may do in an organization; each role may do all that those before it may. */
export type Role = (typeof ROLES)[number];

/** Who may call an operation. */
export interface Access {
  /** Whether API keys may: they have full access to their organization, except to what is for people. */
  readonly keys: boolean;
  /** The least role of a signed-in user. */
  readonly users: Role;
}

/** The kinds of operations there are, by who may call them. */
export const access = {
  read: { keys: true, users: 'viewer' },
  write: { keys: true, users: 'editor' },
  manage: { keys: true, users: 'admin' },
  /** @param least role */
  usersOnly: (least: Role): Access => ({ keys: false, users: least }),
} as const;

export const isAtLeast = (role: Role, least: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(least);
