import { newId } from '@fanfare/runtime';
import { MongoClient } from 'mongodb';

interface Event {
  _id: string;
  organization_id: string;
  sequence: number;
}

const BATCH = 5_000;

/** Copies the newest event of an organization until it has `count` events: with posts it would take hours. */
export async function fillFeed(
  { mongoUrl, namespace, organizationId }: { readonly mongoUrl: string; readonly namespace: string; readonly organizationId: string },
  count: number,
): Promise<void> {
  const client = new MongoClient(mongoUrl);
  try {
    const db = client.db(`${namespace}_webhooks`);
    const events = db.collection<Event>('events');
    const newest = await events.findOne({ organization_id: organizationId }, { sort: { sequence: -1 } });
    if (!newest) throw new Error('The organization has no event to copy.');
    for (let made = newest.sequence; made < count; made += BATCH) {
      const copies = Array.from({ length: Math.min(BATCH, count - made) }, (_, at) => ({
        ...newest,
        _id: newId(),
        sequence: made + at + 1,
      }));
      await events.insertMany(copies, { ordered: false });
    }
    await db.collection<{ _id: string; last: number }>('sequences').updateOne({ _id: organizationId }, { $max: { last: count } });
  } finally {
    await client.close();
  }
}
