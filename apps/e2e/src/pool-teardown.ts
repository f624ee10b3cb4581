import { kept } from './pool-setup.ts';

export default async (): Promise<void> => kept.fanfareTestPlatforms?.stop();
