const BATCH = 100;
/** The share of an organization in a round if many have something due, so that its thousands of posts do not delay a single post of another. */
const PER_ORGANIZATION = 10;

/** What is claimed at its time. */
export interface Due {
  readonly _id: string;
  readonly organization_id: string;
  /** Its stored size; absent if it is always small. */
  readonly bytes?: number;
}

/** Finds what is due, without that of some organizations and without some ids, the longest due first. */
export type DueFinder<Row extends Due> = (
  except: { readonly organizations: readonly string[]; readonly ids: readonly string[] },
  limit: number,
) => Promise<Row[]>;

/** What to claim in this round, without the excluded ids: one of each organization in turn, the longest due first. */
export async function findRound<Row extends Due>(findDue: DueFinder<Row>, exceptIds: readonly string[]): Promise<Row[]> {
  const byOrganization = new Map<string, Row[]>();
  for (;;) {
    const found = await findDue({ organizations: [...byOrganization.keys()], ids: exceptIds }, BATCH);
    for (const [organization, rows] of Map.groupBy(found, ({ organization_id }) => organization_id)) byOrganization.set(organization, rows);
    if (found.length < BATCH) break;
  }
  const share = Math.max(PER_ORGANIZATION, Math.floor(BATCH / Math.max(1, byOrganization.size)));
  const shares = [...byOrganization.values()].map((rows) => rows.slice(0, share));
  return Array.from({ length: share }, (_, turn) => shares.flatMap((rows) => rows[turn] ?? [])).flat();
}
