/** Another process has the lease now, or the row was deleted or closed. This process must not continue with it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor(id: string) {
    super(`The lease of ${id} was lost.`);
  }
}
