const LABELS: ReadonlyMap<string, string> = new Map([
  ['facebook', 'Facebook'],
  ['google_business', 'Google Business'],
  ['instagram', 'Instagram'],
  ['linkedin', 'LinkedIn'],
  ['pinterest', 'Pinterest'],
  ['tiktok', 'TikTok'],
  ['x', 'X'],
  ['youtube', 'YouTube'],
]);

/** A platform as people write it. */
export const platformLabel = (platform: string): string => LABELS.get(platform) ?? platform;
