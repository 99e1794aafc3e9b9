/** An issuer with its own keys, which mints and transfers tokens on the embedded ledger. */
import { addressScript } from '../../protocol/bitcoin/address.ts';
import { writeTokenScript, type TokenMint } from '../../protocol/assets/bsv21/token.ts';
import { toHex } from '../../protocol/bitcoin/bytes.ts';
import { txidOf, type TransactionOutput } from '../../protocol/bitcoin/transaction.ts';
import { bytesOf, type TestCoin } from '../../server/devnet/test-ledger.ts';
import { testKey } from '../../server/devnet/test-key.ts';
import type { TestNetwork } from '../network/network.ts';

const ownFetch = globalThis.fetch;

export const one = (lockingScript: Uint8Array): TransactionOutput => ({ satoshis: 1n, lockingScript });

export class Issuer {
  readonly key = testKey();
  readonly #network: Pick<TestNetwork, 'url' | 'faucet'>;
  readonly #fees: number;

  /** @param fees satoshis added to each transaction to cover its fee */
  constructor(network: Pick<TestNetwork, 'url' | 'faucet'>, fees = 10_000) {
    this.#network = network;
    this.#fees = fees;
  }

  /** Broadcasts one of the issuer's transactions, with an added coin for the fee. @returns its outputs as coins */
  async make(coins: readonly TestCoin[], outputs: readonly TransactionOutput[]): Promise<TestCoin[]> {
    const txid = await this.#network.faucet(this.key.address, this.#fees);
    const money = { txid, vout: 0, satoshis: BigInt(this.#fees), lockingScript: this.key.script };
    const bytes = bytesOf({ coins: [...coins, money], owner: this.key, outputs });
    const answer = await ownFetch(`${this.#network.url}/devnet/arc/v1/tx`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rawTx: toHex(bytes) }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    return outputs.map((output, vout) => ({ ...output, txid: txidOf(bytes), vout }));
  }

  async mint(amt: bigint, more: Partial<TokenMint> = {}): Promise<{ id: string; coin: TestCoin }> {
    const script = writeTokenScript({ op: 'deploy+mint', amt, dec: 0, sym: 'GOLD', ...more }, this.key.script);
    const [coin] = (await this.make([], [one(script)])) as [TestCoin];
    return { id: `${coin.txid}_${coin.vout}`, coin };
  }

  /** Creates an output that holds token units, for an address or by default for the issuer. */
  holds(id: string, amt: bigint, address?: string): TransactionOutput {
    const lock = address === undefined ? this.key.script : addressScript(address, 'devnet');
    return one(writeTokenScript({ op: 'transfer', id, amt }, lock));
  }
}
