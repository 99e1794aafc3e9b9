/** Gives the wallet of the targets an empty database in memory. */
import { MemoryDatabases } from '../../testkit/database/database.ts';
import { KeyRange } from '../../testkit/database/keys.ts';
import { nodeTurns } from '../../testkit/database/node-turns.ts';
import { useOpener, type Opener } from '../../testkit/wallet/platform.ts';

const { openDB, deleteDB } = new MemoryDatabases(nodeTurns);
useOpener({ openDB, deleteDB, keyRange: KeyRange } as unknown as Opener);
