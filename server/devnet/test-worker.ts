/** For a test that kills this process: pays from the faucet and mines in a loop, printing each acknowledged txid. */
import { pay } from './faucet.ts';
import { openNode } from './ledger/node.ts';
import { testKey } from './test-key.ts';

const node = await openNode(process.argv[2] ?? '');
const { address } = testKey();
for (let i = 1; ; i += 1) {
  console.log(await pay(node, address, 1000 + i));
  if (i % 7 === 0) await node.mine(1);
}
