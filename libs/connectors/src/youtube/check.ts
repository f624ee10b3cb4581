import type { CheckCombination } from '../checks/check-content.ts';
import { CATEGORIES } from './limits.ts';

/** A category that allows videos; `choices` lists those of a channel's country. */
export const check: CheckCombination = ({ options }) => {
  const value = options?.['category_id'];
  if (typeof value !== 'string' || CATEGORIES.includes(value)) return [];
  const limit = CATEGORIES.join(', ');
  const message = `YouTube does not allow videos in category ${value}. Allowed categories: ${limit}.`;
  return [{ rule: 'invalid', field: 'options.category_id', limit, value, message }];
};
