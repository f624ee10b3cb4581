import { createCanvas, type Canvas } from '@napi-rs/canvas';

const GAP = 6;

/** Joins images in rows to one image, to view them together. Each is `width` pixels wide. */
export function contactSheet(rows: readonly (readonly Canvas[])[], width: number): Canvas {
  const heightOf = (canvas: Canvas) => Math.round((canvas.height / canvas.width) * width);
  const heights = rows.map((row) => Math.max(0, ...row.map(heightOf)));
  const across = Math.max(0, ...rows.map((row) => row.length));
  const sheet = createCanvas(GAP + across * (width + GAP), GAP + heights.reduce((sum, height) => sum + height + GAP, 0));
  const context = sheet.getContext('2d');
  context.imageSmoothingQuality = 'high';
  context.fillStyle = '#8a8a8a';
  context.fillRect(0, 0, sheet.width, sheet.height);
  let top = GAP;
  for (const [index, row] of rows.entries()) {
    for (const [at, canvas] of row.entries()) context.drawImage(canvas, GAP + at * (width + GAP), top, width, heightOf(canvas));
    top += (heights[index] ?? 0) + GAP;
  }
  return sheet;
}
