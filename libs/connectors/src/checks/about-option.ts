/** Adds to a platform's message about a value the option that it was set with and how to find the allowed values. */
export const aboutOption = (option: string, words: string, choices: string): string =>
  `options.${option}: ${words.replace(/[.\s]*$/, '.')} ${choices}`;

/** Says where callers can list the values for an account, for options in the connector's `choices`. */
export const listedAt = (option: string): string =>
  `GET …/integrations/{integration_id}/choices/${option} lists the values for this account.`;
