/** The owner of a document. Every query is scoped by both ids. */
export interface Scope {
  readonly organizationId: string;
  readonly businessId: string;
}

export const filterOf = ({ organizationId, businessId }: Scope) => ({ organization_id: organizationId, business_id: businessId });
