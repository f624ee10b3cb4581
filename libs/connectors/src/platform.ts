import { facebookRules } from './facebook/rules.ts';
import { googleBusinessRules } from './google-business/rules.ts';
import { instagramRules } from './instagram/rules.ts';
import { linkedinRules } from './linkedin/rules.ts';
import { pinterestRules } from './pinterest/rules.ts';
import type { PlatformRules } from './platform-rules.ts';
import { tiktokRules } from './tiktok/rules.ts';
import { xRules } from './x/rules.ts';
import { youtubeRules } from './youtube/rules.ts';

/** The only list of names. Everything that is required for each platform is a `Record<Platform, …>` and does not compile without a new one. */
const listed = {
  facebook: facebookRules,
  instagram: instagramRules,
  linkedin: linkedinRules,
  x: xRules,
  tiktok: tiktokRules,
  pinterest: pinterestRules,
  youtube: youtubeRules,
  google_business: googleBusinessRules,
} satisfies Record<string, PlatformRules>;

/** A platform's name in the API, in events and in the database. */
export type Platform = keyof typeof listed;

/** All platforms, in the order in which they are shown. */
export const PLATFORMS = Object.keys(listed) as readonly Platform[];

const byName = Object.entries(listed).sort(([one], [other]) => (one < other ? -1 : 1));

/** Preflight rules by platform, in alphabetical order. A name from outside may have no entry. */
export const platformRules: Readonly<Partial<Record<Platform, PlatformRules>>> = Object.fromEntries(byName);

/** Aliases of platforms. */
export const PLATFORM_ALIASES: ReadonlyMap<string, Platform> = new Map(
  PLATFORMS.flatMap((platform) => (rulesOf(platform).aliases ?? []).map((alias) => [alias, platform] as const)),
);

/** Reads a platform's name as callers write it: in any case, by its own name or a known alias. */
export function parsePlatform(name: string): Platform | undefined {
  const lower = name.toLowerCase();
  return PLATFORMS.find((platform) => platform === lower) ?? PLATFORM_ALIASES.get(lower);
}

/** A platform's name for people; an unknown name stays unchanged. */
export const platformLabel = (name: string): string => (Object.hasOwn(listed, name) ? rulesOf(name as Platform).label : name);

function rulesOf(platform: Platform): PlatformRules {
  return listed[platform];
}
