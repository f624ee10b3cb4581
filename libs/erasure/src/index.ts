export { eraser, NotYet, type Erased, type EraseStep } from './eraser.ts';
export { createClosedReader, type ClosedReader } from './read-closed.ts';
export { findClosed, forgetClosures, isClosed, lockClosed, type Closable, type Closed } from './store/closures.ts';
export { setClosure } from './set-closure.ts';
export { deleteSome, ofBusinesses, ofTenant } from './store/delete-some.ts';
export { erasedSince, findErased, putTombstones } from './store/tombstones.ts';
