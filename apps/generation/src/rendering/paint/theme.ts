import chroma from 'chroma-js';
import type { Colour, ColourRole } from '../../templates/template.ts';

/** The colors of a design, as #rrggbb. */
export interface Theme extends Readonly<Record<ColourRole, string>> {
  readonly name: string;
}

/** For businesses without a palette. */
export const THEMES = [
  themeOf('Harbour', ['#12355b', '#f2e9dc', '#e4572e']),
  themeOf('Orchard', ['#2f5d50', '#f4efe4', '#e9a23b']),
  themeOf('Clay', ['#b4512f', '#f6ece3', '#2b3a42']),
  themeOf('Iris', ['#4b3f8f', '#efedf8', '#f2a65a']),
  themeOf('Graphite', ['#22262b', '#eceff1', '#00a896']),
] as const;

/**
 * @param palette colors of a business as #rrggbb, primary color first; missing ones are derived from it
 */
export function themeOf(name: string, palette: readonly string[]): Theme {
  const [first, second, third] = palette.filter((colour) => chroma.valid(colour));
  const primary = chroma(first ?? '#22262b');
  const [lightness, saturation, hue] = primary.oklch();
  const tone = Number.isNaN(hue) ? 0 : hue;
  const secondary = second ? chroma(second) : chroma.oklch(lightness > 0.6 ? lightness - 0.28 : lightness + 0.3, saturation * 0.5, tone);
  const accent = third ? chroma(third) : chroma.oklch(0.72, Math.max(saturation, 0.13), (tone + 150) % 360);
  return {
    name,
    primary: primary.hex(),
    secondary: secondary.hex(),
    accent: apartFrom(accent, primary).hex(),
    light: chroma.oklch(0.975, Math.min(saturation, 0.012), tone).hex(),
    dark: chroma.oklch(0.2, Math.min(saturation, 0.03), tone).hex(),
  };
}

/** Returns the accent, changed if it hardly differs from the primary color. */
function apartFrom(accent: chroma.Color, main: chroma.Color): chroma.Color {
  if (chroma.deltaE(accent.hex(), main.hex()) > 12) return accent;
  const [lightness, saturation, hue] = accent.oklch();
  return chroma.oklch(lightness > 0.6 ? 0.45 : 0.8, Math.max(saturation, 0.08), Number.isNaN(hue) ? 0 : hue);
}

export const colourOf = (theme: Theme, colour: Colour): string => (colour.startsWith('#') ? colour : theme[colour as ColourRole]);
