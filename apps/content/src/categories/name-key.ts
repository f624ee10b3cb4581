/** Names that differ only in case, or in how their accents are encoded, have the same key. */
export const nameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();
