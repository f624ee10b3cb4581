export { chained } from './chain.ts';
export { entryDocument, type Details, type EntryDocument, type Fact, type Head, type Link, type Subject } from './entry.ts';
export { eraseChains } from './erase-chains.ts';
export { keepLedger } from './keep-ledger.ts';
export { anchorDays, startAnchoring } from './start-anchoring.ts';
export {
  createBusinessIndex,
  createLedgerIndexes,
  listChains,
  listEntriesOfPost,
  recordEntries,
  type Recorded,
  type TimelinePosition,
} from './store/entries.ts';
export { timelinePage, type TimelinePage } from './timeline-page.ts';
export { toEntry } from './to-entry.ts';
export { type Witness } from './verify-chain.ts';
export { pageOfDocuments, type DocumentPage } from './store/documents.ts';
export { verifyLedger, type Documents } from './verify-ledger.ts';
