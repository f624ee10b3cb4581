import { text } from '../../text/text.ts';

/** What a link in a mail carries. */
export const mailToken = () => text(2_000).min(1).meta({ description: 'The `token` in the link of the email.' });
