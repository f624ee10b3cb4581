/** The business that a report covers. */
export interface Owner {
  readonly organizationId: string;
  readonly businessId: string;
}
