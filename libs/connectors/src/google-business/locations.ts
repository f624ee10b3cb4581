import { at, listAt, requiredAt, stringAt } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import type { PlatformHttp } from '../calls/http.ts';
import { rules } from './errors.ts';
import { ACCOUNTS_PAGE, ACCOUNTS_URL, LOCATIONS_PAGE, LOCATIONS_URL, MAX_PAGES } from './limits.ts';

export interface Location {
  /** `accounts/A/locations/L`, as version 4 requires; version 1 uses `locations/L`. */
  readonly name: string;
  readonly title: string;
  readonly storeCode: string | undefined;
}

/** The locations of a login: those that can have posts, and the titles of those that cannot. */
export async function listLocations(
  http: PlatformHttp,
  accessToken: string,
): Promise<{ readonly open: readonly Location[]; readonly closed: readonly string[] }> {
  const open = new Map<string, Location>();
  const closed: string[] = [];
  const list = (url: string, key: string, query: Record<string, string | number>) => everyPage({ http, accessToken, url, key, query });

  for (const account of await list(`${ACCOUNTS_URL}/accounts`, 'accounts', { pageSize: ACCOUNTS_PAGE })) {
    const accountName = requiredAt(account, 'name');
    const query = { readMask: 'name,title,storeCode,websiteUri,metadata', pageSize: LOCATIONS_PAGE };
    for (const location of await list(`${LOCATIONS_URL}/${accountName}/locations`, 'locations', query)) {
      const name = requiredAt(location, 'name');
      const title = stringAt(location, 'title') ?? name;
      // Google omits false values. A person's own account and a group may both contain a location: the first one counts.
      if (at(location, 'metadata', 'canOperateLocalPost') !== true) closed.push(title);
      else if (!open.has(name)) open.set(name, { name: `${accountName}/${name}`, title, storeCode: stringAt(location, 'storeCode') });
    }
  }
  return { open: [...open.values()], closed: [...new Set(closed)] };
}

async function everyPage({
  http,
  accessToken,
  url,
  key,
  query,
}: {
  http: PlatformHttp;
  accessToken: string;
  url: string;
  key: string;
  query: Record<string, string | number>;
}): Promise<unknown[]> {
  const found: unknown[] = [];
  let pageToken: string | undefined;
  for (let round = 0; round < MAX_PAGES; round++) {
    const response = await googleCall({ http, account: { accessToken } }, { method: 'GET', url, query: { ...query, pageToken } }, rules);
    found.push(...listAt(response, key));
    pageToken = stringAt(response, 'nextPageToken');
    if (pageToken === undefined) break;
  }
  return found;
}
