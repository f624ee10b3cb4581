import type { Options } from '../connector.ts';

/** Options that depend on another option: they are dropped when that one changes. */
const BELONGS_TO: Readonly<Record<string, string>> = { board_section_id: 'board_id' };

/** Merges options over others: a post's own over its account's settings. */
export function optionsOver(settings: Options, options: Options): Options {
  const isKept = (name: string) => {
    const owner = BELONGS_TO[name];
    return owner === undefined || options[owner] === undefined || options[owner] === settings[owner];
  };
  return { ...Object.fromEntries(Object.entries(settings).filter(([name]) => isKept(name))), ...options };
}
