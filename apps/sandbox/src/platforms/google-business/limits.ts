const minuteMs = 60_000;

/** From the references of the My Business API v4 and the Performance API v1, and Google's photo guide. */
export const limits = {
  summaryCharacters: 1500,
  eventTitleCharacters: 58,
  photo: { bytes: 5_000_000, minBytes: 10_240, minSide: 250, maxSide: 10_000, types: ['image/jpeg', 'image/png'] },
  pages: { accounts: { usual: 20, max: 20 }, locations: { usual: 10, max: 100 }, posts: { usual: 20, max: 100 } },
  /** Of daily metrics: eighteen months, and the delay in days until Google has them. */
  keptDays: 548,
  delayDays: 3,
  windowMs: minuteMs,
  /** Per minute: of a project's calls, and of a profile's edits. */
  calls: 300,
  edits: 10,
} as const;

export const hosts = {
  posts: 'mybusiness.googleapis.com',
  accounts: 'mybusinessaccountmanagement.googleapis.com',
  locations: 'mybusinessbusinessinformation.googleapis.com',
  performance: 'businessprofileperformance.googleapis.com',
  web: 'local.google.com',
  maps: 'maps.google.com',
};

export const scopes = ['https://www.googleapis.com/auth/business.manage', 'https://www.googleapis.com/auth/plus.business.manage'];

/** The fields that a `readMask` of locations may name. */
export const locationFields = [
  'name',
  'languageCode',
  'storeCode',
  'title',
  'phoneNumbers',
  'categories',
  'storefrontAddress',
  'websiteUri',
  'regularHours',
  'specialHours',
  'serviceArea',
  'labels',
  'adWordsLocationExtensions',
  'latlng',
  'openInfo',
  'metadata',
  'profile',
  'relationshipData',
  'moreHours',
  'serviceItems',
];
