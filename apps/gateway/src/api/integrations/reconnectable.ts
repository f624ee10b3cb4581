import { DomainError } from '@fanfare/errors';
import { type Urls } from '@fanfare/resources';

/** Adds where to reconnect an account whose access has expired. */
export async function reconnectable<T>(
  urls: Urls,
  { business_id, integration_id }: { business_id: string; integration_id: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'SOCIAL_TOKEN_EXPIRED') throw error;
    const members = { ...error.members, reconnect_url: urls.consoleReconnect(business_id, integration_id) };
    throw new DomainError(error.code, error.detail, { ...error, cause: error, members });
  }
}
