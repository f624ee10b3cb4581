import { now } from '@fanfare/runtime';

/** A token that expires within this time is refreshed before it is used. */
const REFRESH_AHEAD_MS = 5 * 60_000;

/** A token that cannot be refreshed is used to its last second; after that the platform rejects it. */
export const isExpiring = ({
  organization_id,
  token_expires_at,
  refreshable,
}: {
  readonly organization_id: string;
  readonly token_expires_at?: Date;
  readonly refreshable?: boolean;
}): boolean =>
  token_expires_at !== undefined &&
  refreshable !== false &&
  token_expires_at.getTime() - now(organization_id).getTime() <= REFRESH_AHEAD_MS;
