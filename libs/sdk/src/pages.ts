interface ItemPage {
  items: unknown[];
  next: string | null;
}
/** Posts of a platform come in pages with names of their own. */
interface PostPage {
  posts: unknown[];
  next_cursor: string | null;
}
/** The feed has a cursor on its last page, too: it continues when something happens. */
interface FeedPage {
  items: unknown[];
  next_cursor: string;
  has_more: boolean;
}
export type Page = ItemPage | PostPage | FeedPage;
type Row<P extends Page> = P extends ItemPage | FeedPage ? P['items'][number] : P extends PostPage ? P['posts'][number] : never;

const rowsIn = (page: Page) => ('items' in page ? page.items : page.posts);
const nextIn = (page: Page) => {
  if ('has_more' in page) return page.has_more ? page.next_cursor : null;
  return 'items' in page ? page.next : page.next_cursor;
};

/** A list, read page by page, only as far as it is used: `for await (const post of fanfare.posts.list(…))`. */
export interface Listing<P extends Page> extends AsyncIterable<Row<P>> {
  /** The pages themselves. */
  pages(): AsyncIterable<P>;
  /** One page: the first, or the one that `cursor` names. */
  page(): Promise<P>;
  /** Every row, at most `limit` of them. */
  toArray(limit?: number): Promise<Row<P>[]>;
}

/** @param read reads the page of a cursor; the first one when that is undefined */
export function listing<P extends Page>(read: (cursor: string | undefined) => Promise<P>): Listing<P> {
  async function* pages() {
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      yield page;
      cursor = nextIn(page) ?? undefined;
    } while (cursor !== undefined);
  }
  async function* rows(): AsyncGenerator<Row<P>> {
    for await (const page of pages()) yield* rowsIn(page) as Row<P>[];
  }
  return {
    pages,
    page: () => read(undefined),
    async toArray(limit = Number.POSITIVE_INFINITY) {
      const all: Row<P>[] = [];
      if (limit <= 0) return all;
      for await (const row of rows()) if (all.push(row) >= limit) break;
      return all;
    },
    [Symbol.asyncIterator]: rows,
  };
}
