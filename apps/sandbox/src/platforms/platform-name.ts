export const platformNames = ['facebook', 'instagram', 'x'] as const;

export type PlatformName = (typeof platformNames)[number];
