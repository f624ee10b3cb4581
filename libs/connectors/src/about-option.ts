/** A platform's words on what an option was set to: they say neither which option of ours that is, nor what else there is. */
export const aboutOption = (option: string, words: string, choices: string): string =>
  `options.${option}: ${words.replace(/[.\s]*$/, '.')} ${choices}`;

/** Where callers see what an account can choose from, of options that the connector has `choices` of. */
export const listedAt = (option: string): string =>
  `What this account can choose from is listed at GET …/integrations/{integration_id}/choices/${option}.`;
