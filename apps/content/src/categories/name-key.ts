/** Two names that differ by case alone, or by how their accents are encoded, are the same. */
export const nameKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();
