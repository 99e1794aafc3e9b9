/** `npm run format`: gives every file the form that `npm run check` asks for. */
import { spawnSync } from 'node:child_process';

process.exit(spawnSync(process.execPath, ['node_modules/oxfmt/bin/oxfmt'], { stdio: 'inherit' }).status ?? 1);
