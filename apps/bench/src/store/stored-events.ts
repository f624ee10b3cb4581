import { MongoClient } from 'mongodb';

/** When each event after a sequence was stored: sequence → milliseconds since 1970. Only one organization has events. */
export async function storedSince(
  { mongoUrl, namespace }: { readonly mongoUrl: string; readonly namespace: string },
  sequence: number,
): Promise<Map<number, number>> {
  const client = new MongoClient(mongoUrl);
  try {
    const events = client.db(`${namespace}_webhooks`).collection<{ sequence: number; stored_at: Date }>('events');
    const found = await events.find({ sequence: { $gt: sequence } }, { projection: { sequence: 1, stored_at: 1 } }).toArray();
    return new Map(found.map((one) => [one.sequence, one.stored_at.getTime()]));
  } finally {
    await client.close();
  }
}
