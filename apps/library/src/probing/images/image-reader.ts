import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/** Sharp, with the decoders of accepted formats only. Loaded on demand, because it needs much memory. */
export function imageReader(): Promise<typeof sharp> {
  return (loaded ??= load());
}

async function load(): Promise<typeof sharp> {
  const { default: open } = await import('sharp');
  open.cache(false);
  open.concurrency(1);
  open.block({ operation: ['VipsForeignLoad'] });
  open.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'] });
  return open;
}
