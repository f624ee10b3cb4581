/** Another process has the lease now, or the row is gone or closed. Whatever we were about to do is not ours to do. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(id: string) {
    super(`The lease of ${id} is lost.`);
  }
}
