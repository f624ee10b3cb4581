/**
 * The canary: an organization of Fanfare's own, whose posts are published through the whole way all the time, to a sandbox only, to notice when nothing
 * arrives. Its ids are the same everywhere, and no customer can have them: all of theirs contain the time at which they were created.
 */
export const CANARY = {
  organizationId: '00000000-0000-7000-8000-00000000ca9a',
  businessId: '00000000-0000-7000-8000-00000000ca9b',
} as const;

/** Whether something belongs to the canary: it is in no feed, statistics, mail or report of customers, and no real platform gets it. */
export const isCanary = (organizationId: string): boolean => organizationId === CANARY.organizationId;
