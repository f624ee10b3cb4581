import { launch } from './start/launch.ts';
import { parseStartOptions } from './start/start-options.ts';

process.exit(await launch(parseStartOptions(process.argv.slice(2))));
