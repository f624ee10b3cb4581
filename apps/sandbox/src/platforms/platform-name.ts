export const platformNames = ['facebook', 'google_business', 'instagram', 'x'] as const;

export type PlatformName = (typeof platformNames)[number];
