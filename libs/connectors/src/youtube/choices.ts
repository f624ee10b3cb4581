import type { Call, Connector, ListChoices } from '../connector.ts';
import { at, requiredAt, stringAt, unreadable } from '../calls/fields.ts';
import { googleCall } from '../google/google-call.ts';
import { rules } from './errors.ts';
import { API_URL, DEFAULT_REGION } from './limits.ts';

/** The categories that allow videos in the channel's country. */
const listCategories: ListChoices = async (call) => {
  const channels = await get(call, '/channels', { part: 'snippet', mine: 'true' });
  const regionCode = stringAt(channels, 'items', 0, 'snippet', 'country') ?? DEFAULT_REGION;
  const categories = at(await get(call, '/videoCategories', { part: 'snippet', regionCode }), 'items');
  if (!Array.isArray(categories)) throw unreadable('no items in the response');
  const items = categories
    .filter((category) => at(category, 'snippet', 'assignable') === true)
    .map((category) => {
      const value = requiredAt(category, 'id');
      return { value, label: stringAt(category, 'snippet', 'title') ?? value };
    });
  return { items };
};

export const choices = { category_id: listCategories } satisfies Connector['choices'];

const get = (call: Call, path: string, query: Readonly<Record<string, string>>) =>
  googleCall(call, { method: 'GET', url: `${API_URL}${path}`, query }, rules);
