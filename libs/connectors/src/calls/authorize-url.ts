/** The page where a person grants us access (RFC 6749, 4.1.1). Spaces become %20, because not every platform decodes `+` as a space. */
export function authorizeUrl(page: string, parameters: Readonly<Record<string, string>>): string {
  const url = new URL(page);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href.replaceAll('+', '%20');
}
