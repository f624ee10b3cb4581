/** Every platform that the API knows by name, whether or not a connector for it exists yet. */
export const PLATFORMS = ['facebook', 'instagram', 'linkedin', 'x', 'tiktok', 'pinterest', 'youtube', 'google_business'] as const;

/** A platform's name, as it stands in the API, in events and in the database. */
export type Platform = (typeof PLATFORMS)[number];

const ALIASES: ReadonlyMap<string, Platform> = new Map([
  ['twitter', 'x'],
  ['twitter/x', 'x'],
  ['google business', 'google_business'],
  ['gbp', 'google_business'],
]);

/** Reads a platform's name as callers write it: in any case, by its own name or a known alias. */
export function parsePlatform(name: string): Platform | undefined {
  const lower = name.toLowerCase();
  return PLATFORMS.find((platform) => platform === lower) ?? ALIASES.get(lower);
}
