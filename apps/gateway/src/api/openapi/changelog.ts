import { CHANGES, CURRENT_VERSION, FLOOR_VERSION, VERSIONS } from '@fanfare/resources';

const descriptions = (dates: (date: string) => boolean) => CHANGES.filter(({ date }) => dates(date)).map(({ description }) => description);

const rows = VERSIONS.toReversed().map((version) => {
  const name =
    version === CURRENT_VERSION ? `\`${version}\` (current)` : version === FLOOR_VERSION ? `\`${version}\` (default)` : `\`${version}\``;
  const nothing = version === FLOOR_VERSION ? 'The first version.' : 'No breaking change.';
  return `- ${name}: ${descriptions((date) => date === version).join(' ') || nothing}`;
});

const missed = descriptions((date) => date > FLOOR_VERSION).map((description) => `- ${description}`);

/** In Markdown, generated from the version changes in the code, so that no version can be missing. */
export const CHANGELOG = `
${rows.join('\n')}

Without the header you get \`${FLOOR_VERSION}\`. Compared with the current version, you miss ${missed.length === 1 ? 'one change' : `${missed.length} changes`}:

${missed.join('\n')}
`.trim();
