import { BSON } from 'mongodb';
import fc from 'fast-check';
import { chained, hashOf } from './chain.ts';
import { entryDocument, subjectOf, type Details, type EntryDocument, type Fact, type Head, type Subject } from './entry.ts';
import { firstProblem } from './verify-chain.ts';

const subject: Subject = { chain: 'post-1', postId: 'post-1', organizationId: 'org-1', businessId: 'biz-1' };
const at = new Date('2026-08-06T09:30:00.000Z');
const NEVER = new Date(0);

// Any text, with lone surrogates too.
const text = fc.string({ unit: 'binary', maxLength: 20 });
const value = fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const name = fc.stringMatching(/^[a-z_0-9]{1,8}$/);
const details = fc.dictionary(name, fc.oneof(value, fc.array(value, { maxLength: 3 }), fc.dictionary(name, value, { maxKeys: 3 })), {
  maxKeys: 4,
  noNullPrototype: true,
}) as fc.Arbitrary<Details>;
const fact: fc.Arbitrary<Fact> = fc.record({ kind: name, actor: name, requestId: text, details });
/** The facts of each write, and the clock of the process that wrote it. */
const writes = fc.array(fc.tuple(fc.array(fact, { maxLength: 3 }), fc.integer({ min: -50, max: 50 })), { minLength: 1, maxLength: 6 });

function entriesOf(given: readonly (readonly [readonly Fact[], number])[]): EntryDocument[] {
  let head: Head | undefined;
  return given.flatMap(([facts, skew]) => {
    const { links, head: next } = chained(subject, head, facts, new Date(at.getTime() + skew));
    // As the next process reads it from the document.
    head = next && stored({ next }).next;
    return links.map((link) => stored(entryDocument(subject, link, at)));
  });
}

const stored = <T extends object>(document: T): T => BSON.deserialize(BSON.serialize(document)) as T;

test('what any writes append is a chain that verifies, as MongoDB returns it', () => {
  fc.assert(
    fc.property(writes, (given) => {
      const entries = entriesOf(given);
      expect(entries.map(({ n }) => n)).toEqual(entries.map((_, index) => index + 1));
      expect(entries.every((entry, index) => index === 0 || entry.at >= (entries[index - 1] as EntryDocument).at)).toBe(true);
      expect(firstProblem(entries, { expiredBefore: NEVER })).toBeUndefined();
    }),
  );
});

test('the order of names does not matter to the hash, but every value does', () => {
  fc.assert(
    fc.property(fact, (one) => {
      const [entry] = entriesOf([[[one], 0]]) as [EntryDocument];
      const reversed = Object.fromEntries(Object.entries(entry.details).reverse());
      expect(hashOf(subjectOf(entry), { ...entry, details: reversed })).toBe(entry.hash);
      for (const change of [
        { kind: `${entry.kind}x` },
        { actor: `${entry.actor}x` },
        { details: { ...entry.details, more: 1 } },
        { n: 2 },
      ]) {
        expect(hashOf(subjectOf(entry), { ...entry, ...change })).not.toBe(entry.hash);
      }
      expect(hashOf({ ...subjectOf(entry), organizationId: 'org-2' }, entry)).not.toBe(entry.hash);
    }),
  );
});

const several = fc
  .array(fact, { minLength: 3, maxLength: 7 })
  .map((facts) => entriesOf(facts.map((one, index) => [[one], index] as const)));

test('a changed entry is named, whatever was changed in it', () => {
  fc.assert(
    fc.property(
      several,
      fc.nat(),
      fc.constantFrom('kind', 'actor', 'request_id', 'hash', 'previous_hash', 'post_id'),
      (entries, nth, field) => {
        const index = nth % entries.length;
        const one = entries[index] as EntryDocument;
        const changed = entries.with(index, { ...one, [field]: `${one[field as 'kind']}x` });
        expect(firstProblem(changed, { expiredBefore: NEVER })).toMatchObject({ problem: 'changed', n: index + 1 });
      },
    ),
  );
});

test('an entry that was changed together with its own hash is named by the next one', () => {
  fc.assert(
    fc.property(several, fc.nat(), (entries, nth) => {
      const index = nth % (entries.length - 1);
      const one = { ...(entries[index] as EntryDocument), kind: 'forged' };
      const changed = entries.with(index, { ...one, hash: hashOf(subjectOf(one), one) });
      expect(firstProblem(changed, { expiredBefore: NEVER })).toMatchObject({ problem: 'changed', n: index + 1 });
    }),
  );
});

test('a missing entry is named, but not the last one, which others name', () => {
  fc.assert(
    fc.property(several, fc.nat(), (entries, nth) => {
      const index = nth % (entries.length - 1);
      expect(firstProblem(entries.toSpliced(index, 1), { expiredBefore: NEVER })).toMatchObject({ problem: 'missing', n: index + 1 });
      expect(firstProblem(entries.slice(0, -1), { expiredBefore: NEVER })).toBeUndefined();
    }),
  );
});

test('two entries that changed places are named as reordered', () => {
  fc.assert(
    fc.property(several, fc.nat(), fc.nat(), (entries, a, b) => {
      const [first, second] = [a % entries.length, b % entries.length].sort((x, y) => x - y) as [number, number];
      fc.pre(first !== second);
      const moved = (from: number, to: number) => ({
        ...(entries[from] as EntryDocument),
        _id: (entries[to] as EntryDocument)._id,
        n: to + 1,
      });
      const reordered = entries.with(first, moved(second, first)).with(second, moved(first, second));
      expect(firstProblem(reordered, { expiredBefore: NEVER })).toMatchObject({ problem: 'reordered', n: first + 1 });
    }),
  );
});

test('a beginning that has expired is not missing', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  let head: Head | undefined;
  const entries = [1, 2, 3, 4].map((n) => {
    const { links, head: next } = chained(subject, head, [{ kind: 'edited', actor: 'key:1' }], day(n));
    head = next;
    return entryDocument(subject, links[0]!, day(n));
  });
  expect(firstProblem(entries.slice(2), { expiredBefore: day(3) })).toBeUndefined();
  expect(firstProblem(entries.slice(3), { expiredBefore: day(3) })).toMatchObject({ problem: 'missing', n: 3 });
  // The database deletes expired entries in any order.
  expect(firstProblem(entries.toSpliced(1, 1), { expiredBefore: day(3) })).toBeUndefined();
});

test('long texts are cut, and values that MongoDB would change are replaced', () => {
  const { links } = chained(
    subject,
    undefined,
    [{ kind: 'x', actor: 'y', details: { long: 'a'.repeat(600), none: undefined, not: NaN } }],
    at,
  );
  expect(links[0]?.details).toEqual({ long: `${'a'.repeat(499)}…`, not: 'NaN' });
});
