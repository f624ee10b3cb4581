import { newId } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';

const DAY_MS = 86_400_000;
const BATCH = 20_000;
/** What analytics keeps of an account. */
const KEPT_DAYS = 750;
const PLATFORMS = ['facebook', 'instagram', 'linkedin', 'x', 'tiktok', 'pinterest', 'youtube', 'google_business'];

interface Wanted {
  readonly organizationId: string;
  readonly businessId: string;
  /** Of the business; the other days belong to businesses of as many accounts. */
  readonly accounts: number;
  readonly points: number;
}

/** Stores days of accounts as analytics does: by snapshots they would take two years. */
export async function fillHistory(
  mongoUrl: string,
  database: string,
  { organizationId, businessId, accounts, points }: Wanted,
): Promise<void> {
  const client = new MongoClient(mongoUrl);
  const today = Math.floor(Date.now() / DAY_MS);
  let batch: Document[] = [];
  try {
    const days = client.db(database).collection<Document>('account_days');
    await days.deleteMany({ business_id: businessId });
    let owner = { organization_id: organizationId, business_id: businessId };
    for (let account = 0; account * KEPT_DAYS < points; account++) {
      if (account > 0 && account % accounts === 0) owner = { organization_id: newId(), business_id: newId() };
      const [integration_id, platform] = [newId(), PLATFORMS[account % PLATFORMS.length]];
      for (let back = 0; back < KEPT_DAYS; back++) {
        const at = new Date((today - back) * DAY_MS);
        const day = at.toISOString().slice(0, 10);
        const numbers = { followers: 10_000 - back, following: 10, posts_count: 500, impressions: 900 + (back % 50), reach: 700 };
        batch.push({
          _id: `${integration_id}/${day}`,
          ...owner,
          integration_id,
          platform,
          day,
          at,
          ...numbers,
          profile_views: 20,
          website_clicks: null,
        });
      }
      if (batch.length < BATCH) continue;
      await days.insertMany(batch, { ordered: false });
      batch = [];
    }
    if (batch.length > 0) await days.insertMany(batch, { ordered: false });
  } finally {
    await client.close();
  }
}

interface Document {
  _id: string;
  [name: string]: unknown;
}
