/** A charge and its month; a refund goes to the same month. */
export interface Charge {
  readonly month: string;
  readonly posts: number;
  readonly credits: number;
}
