import { createCanvas, type Canvas, type SKRSContext2D } from '@napi-rs/canvas';
import type { LogoLayer } from '../../templates/template.ts';
import type { Bounds } from '../text/lay-out.ts';
import { contrastOn, luminance, readBackdrop } from './contrast.ts';
import { paintTexts, type PaintedText, type TextStyle } from './paint-texts.ts';

/** With less contrast, a logo gets a plate behind it. */
const LEAST_LOGO_CONTRAST = 1.9;
const SAMPLE = 48;

/** Fits the logo into the box, or shows the name of the business if there is no logo. */
export function paintLogo(
  context: SKRSContext2D,
  layer: LogoLayer,
  { logo, businessName }: { readonly logo: Canvas | undefined; readonly businessName: string },
  box: Bounds,
  style: TextStyle,
): PaintedText[] {
  if (!logo) return layer.text === 'business_name' && businessName !== '' ? paintName(context, layer, businessName, box, style) : [];
  const scale = Math.min(box.width / logo.width, box.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const slack = box.width - width;
  const isAtLeft = (layer.align === 'start') !== style.isRightToLeft;
  const x = box.x + (layer.align === 'center' ? slack / 2 : isAtLeft ? 0 : slack);
  const y = box.y + (box.height - height) / 2;
  const plate = plateFor(context, logo, { x, y, width, height }, style);
  if (plate !== undefined) {
    const margin = height * 0.16;
    context.fillStyle = plate;
    context.beginPath();
    context.roundRect(x - margin, y - margin, width + 2 * margin, height + 2 * margin, margin);
    context.fill();
  }
  context.drawImage(logo, x, y, width, height);
  return [];
}

function plateFor(context: SKRSContext2D, logo: Canvas, bounds: Bounds, { theme }: TextStyle): string | undefined {
  const sample = createCanvas(SAMPLE, SAMPLE).getContext('2d');
  sample.drawImage(logo, 0, 0, SAMPLE, SAMPLE);
  const { data } = sample.getImageData(0, 0, SAMPLE, SAMPLE);
  let [sum, count] = [0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if ((data[at + 3] ?? 0) < 128) continue;
    sum += luminance(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0);
    count++;
  }
  // A logo that fills its rectangle has its own background.
  if (count === 0 || count > SAMPLE * SAMPLE * 0.95) return undefined;
  const own = sum / count;
  const { darkest, lightest } = readBackdrop(context, bounds);
  const behind = (darkest + lightest) / 2;
  const contrast = (Math.max(own, behind) + 0.05) / (Math.min(own, behind) + 0.05);
  if (contrast >= LEAST_LOGO_CONTRAST) return undefined;
  const seen = { darkest: own, lightest: own };
  return contrastOn(theme.light, seen) > contrastOn(theme.dark, seen) ? theme.light : theme.dark;
}

function paintName(context: SKRSContext2D, { align }: LogoLayer, name: string, box: Bounds, style: TextStyle): PaintedText[] {
  const item = {
    font: 'heading',
    weight: 700,
    size: 3.2,
    line_height: 1.1,
    tracking: 0,
    uppercase: false,
    colour: 'dark',
    outline: false,
    space: 0,
  } as const;
  return paintTexts(context, { align, valign: 'middle', items: [{ item, text: name }] }, box, style);
}
