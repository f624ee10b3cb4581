import { createHash } from 'node:crypto';
import sharp, { type Sharp } from 'sharp';

/** An image that is always the same for the same subject: a gradient of two colours, and a circle. */
export function drawImage(subject: string, width: number, height: number): Sharp {
  const [first = 0, second = 0, x = 0, y = 0, size = 0] = createHash('sha256').update(subject).digest();
  const hue = (byte: number) => Math.round((byte / 255) * 360);
  const part = (byte: number, of: number) => Math.round((0.2 + (byte / 255) * 0.6) * of);
  const radius = part(size, Math.min(width, height) / 2);
  return sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
<linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hue(first)},55%,45%)"/><stop offset="1" stop-color="hsl(${hue(second)},55%,70%)"/></linearGradient>
<rect width="100%" height="100%" fill="url(#g)"/><circle cx="${part(x, width)}" cy="${part(y, height)}" r="${radius}" fill="hsl(${hue(second)},65%,85%)" fill-opacity="0.6"/></svg>`),
  );
}
