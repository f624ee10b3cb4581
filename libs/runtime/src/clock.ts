/**
 * What time it is for an organization. Business rules ask here instead of calling `new Date()`, so that a test clock can shift one
 * organization's time without touching another's. Leases and due tests use the database's own clock instead.
 */
export function now(_organizationId: string): Date {
  return new Date();
}
