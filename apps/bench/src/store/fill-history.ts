import { PLATFORMS } from '@fanfare/connectors/platform';
import { newId } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
/** What analytics stores of an account. */
const KEPT_DAYS = 750;

interface Wanted {
  readonly organizationId: string;
  readonly businessId: string;
  /** Of the business; the other days belong to businesses with as many accounts. */
  readonly accounts: number;
  readonly points: number;
}

/** Stores days of accounts as analytics does: with snapshots they would take two years. */
export async function fillHistory(
  mongoUrl: string,
  database: string,
  { organizationId, businessId, accounts, points }: Wanted,
): Promise<void> {
  const client = new MongoClient(mongoUrl);
  const today = Math.floor(Date.now() / DAY_MS);
  const days = Array.from({ length: KEPT_DAYS }, (_, back) => new Date((today - back) * DAY_MS).toISOString().slice(0, 10));
  const months = [...Map.groupBy(days, (day) => day.slice(0, 7))];
  let batch: Document[] = [];
  try {
    const stored = client.db(database).collection<Document>('account_months');
    await stored.deleteMany({ business_id: businessId });
    let owner = { organization_id: organizationId, business_id: businessId };
    for (let account = 0; account * KEPT_DAYS < points; account++) {
      if (account > 0 && account % accounts === 0) owner = { organization_id: newId(), business_id: newId() };
      const [integration_id, platform] = [newId(), PLATFORMS[account % PLATFORMS.length]];
      for (const [month, some] of months) {
        const each = (number: (at: number) => number | null) => Object.fromEntries(some.map((day, at) => [day.slice(8), number(at)]));
        const levels = { followers: each((at) => 10_000 - at), following: each(() => 10), posts_count: each(() => 500) };
        const flows = {
          impressions: each((at) => 900 + at),
          reach: each(() => 700),
          profile_views: each(() => 20),
          website_clicks: each(() => null),
        };
        batch.push({ _id: `${integration_id}/${month}`, ...owner, integration_id, platform, month, at: new Date(), ...levels, ...flows });
      }
      if (batch.length < BATCH) continue;
      await stored.insertMany(batch, { ordered: false });
      batch = [];
    }
    if (batch.length > 0) await stored.insertMany(batch, { ordered: false });
  } finally {
    await client.close();
  }
}

interface Document {
  _id: string;
  [name: string]: unknown;
}
