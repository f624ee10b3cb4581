import { text } from '../../text/text.ts';

/** The token in the link of a mail. */
export const mailToken = () => text(2_000).min(1).meta({ description: 'The `token` in the link of the email.' });
