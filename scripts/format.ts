/** `npm run format`: formats every file as `npm run check` requires. */
import { spawnSync } from 'node:child_process';

process.exit(spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt'], { stdio: 'inherit' }).status ?? 1);
