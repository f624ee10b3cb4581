/** Whose numbers a report is about. */
export interface Owner {
  readonly organizationId: string;
  readonly businessId: string;
}
