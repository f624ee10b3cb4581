import type { Options } from './connector.ts';

/** What belongs to another option's value: another value leaves it behind. */
const BELONGS_TO: Readonly<Record<string, string>> = { board_section_id: 'board_id' };

/** Some options over others: a post's own over its account's settings. */
export function optionsOver(settings: Options, options: Options): Options {
  const isKept = (name: string) => {
    const owner = BELONGS_TO[name];
    return owner === undefined || options[owner] === undefined || options[owner] === settings[owner];
  };
  return { ...Object.fromEntries(Object.entries(settings).filter(([name]) => isKept(name))), ...options };
}
