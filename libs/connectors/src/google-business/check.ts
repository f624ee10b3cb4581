import { unsupported, type CheckCombination } from '../checks/check-content.ts';
import { options } from './options.ts';

/** What an option requires of the rest of the post. */
export const check: CheckCombination = ({ title, link, options: given }) => {
  const chosen = options.safeParse(given ?? {}).data;
  if (!chosen) return [];
  const { topic_type, event, call_to_action: button } = chosen;
  const isUntitled = event !== undefined && !event.title && !title;
  const leadsNowhere =
    topic_type !== 'OFFER' && button !== undefined && button.action_type !== 'CALL' && (button.url ?? link) === undefined;
  return [
    ...(isUntitled ? [unsupported('options.event', 'An event or offer requires a title. Set options.event.title or title.')] : []),
    ...(leadsNowhere
      ? [unsupported('options.call_to_action', `The button ${button.action_type} has no URL. Set options.call_to_action.url or link.`)]
      : []),
  ];
};
