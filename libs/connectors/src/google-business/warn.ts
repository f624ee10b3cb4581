import type { Warn } from '../checks/check-content.ts';
import { ignored, untitled } from '../checks/content-finding.ts';

/** Phone numbers in international, national and North American notation. Dates do not match. */
const PHONE_NUMBER =
  /(?<![\w/.+-])(?!\d{1,4}[./-]\d{1,2}[./-]\d{1,4}(?!\d))(?:(?:\+|00)[1-9][\d\s().\-/]{6,18}\d|\(?0[1-9]\d{0,4}\)?[\s.\-/]?\d[\d\s.\-/]{4,10}\d|\(?[2-9]\d{2}\)?[\s.-]?\d{3}[\s.-]\d{4})(?![\w-])/;
const ADDRESS = /\bhttps?:\/\/\S+/gi;

/** Google often rejects texts with a phone number (platform reference 8.2) and shows no button on offers. Only events and offers have titles. */
export const warn: Warn = ({ caption, title, options }) => {
  const number = PHONE_NUMBER.exec(caption.replace(ADDRESS, ' '))?.[0];
  return [
    ...(number === undefined
      ? []
      : [
          {
            rule: 'discouraged' as const,
            field: 'caption',
            limit: '',
            value: number,
            message: `Google often rejects posts with a phone number in the text, such as ${number}. Use the button CALL instead; it dials the number of the location.`,
          },
        ]),
    ...(options?.['event'] === undefined ? untitled(title, 'On Google, only events and offers have titles') : []),
    ...(options?.['topic_type'] === 'OFFER' ? ignored(options, ['call_to_action'], 'Google does not show buttons on offers') : []),
  ];
};
