/** Whose a document is: every query is scoped by both. */
export interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

export const filterOf = ({ organizationId, businessId }: Scope) => ({ organization_id: organizationId, business_id: businessId });
