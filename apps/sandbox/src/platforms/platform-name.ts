export const platformNames = ['facebook', 'google_business', 'instagram', 'linkedin', 'pinterest', 'tiktok', 'x', 'youtube'] as const;

export type PlatformName = (typeof platformNames)[number];
