import { launch } from './launch.ts';
import { parseStartOptions } from './start-options.ts';

process.exit(await launch(parseStartOptions(process.argv.slice(2))));
