import { json, type Reply } from '../../wire/reply.ts';
import { badParameter } from './errors.ts';

/** The response of every `list` method. */
export function page(kind: string, items: unknown[], totalResults: number, nextPageToken?: string): Reply {
  return json(200, {
    kind: `youtube#${kind}ListResponse`,
    ...(nextPageToken !== undefined && { nextPageToken }),
    pageInfo: { totalResults, resultsPerPage: items.length },
    // YouTube omits an empty list of channels.
    ...((items.length > 0 || kind !== 'channel') && { items }),
  });
}

export const noFilter = (filters: string) =>
  badParameter('missingRequiredParameter', `No filter selected. Expected one of: ${filters}`, 'parameters.');
