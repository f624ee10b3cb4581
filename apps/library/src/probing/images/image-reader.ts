import type sharp from 'sharp';

let loaded: Promise<typeof sharp> | undefined;

/** Sharp, with no more decoders than there are kinds of images that we keep. Loaded when it is first needed: it takes memory that others need not spend. */
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
