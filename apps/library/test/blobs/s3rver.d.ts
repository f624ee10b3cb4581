declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  /** Only what tests use; the package has no types of its own. */
  export default class S3rver {
    constructor(options: { silent?: boolean; directory?: string; configureBuckets?: { name: string }[] });
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
