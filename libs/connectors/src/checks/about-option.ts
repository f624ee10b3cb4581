/** Adds to a platform's message about a value the option that it was set with and how to find the allowed values. */
export const aboutOption = (option: string, words: string, choices: string): string =>
  `options.${option}: ${words.replace(/[.\s]*$/, '.')} ${choices}`;

/** Tells callers where an account's choices are listed, for options in the connector's `choices`. */
export const listedAt = (option: string): string =>
  `What this account can choose from is listed at GET …/integrations/{integration_id}/choices/${option}.`;
