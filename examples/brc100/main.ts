/**
 * Encrypts, signs and decrypts notes with the user's wallet. Calls ten BRC-100 methods through the unmodified client in
 * @bsv/sdk, which detects the wallet automatically.
 */
import { Utils, WalletClient } from '@bsv/sdk';

const wallet = new WalletClient();
/**
 * Security level 1: the wallet prompts once per site. Because manifest.json declares this permission, the connection
 * prompt includes it.
 */
const key = { protocolID: [1, 'sealed notes'] as [1, string], keyID: '1', counterparty: 'self' };
let sealed: { ciphertext: number[]; hmac: number[]; signature: number[] } | null = null;

const find = <E extends HTMLElement>(id: string) => document.getElementById(id) as E;
const say = (id: string, text: string) => (find(id).textContent = text);

const trying = (work: () => Promise<void>) => () => {
  say('problem', '');
  work().catch((error: Error) => say('problem', error.message));
};

async function greet(): Promise<void> {
  const [{ version }, { network }, { authenticated }] = await Promise.all([
    wallet.getVersion({}),
    wallet.getNetwork({}),
    wallet.isAuthenticated({}),
  ]);
  say('wallet', `${version} on ${network}, ${authenticated ? 'connected' : 'not connected, or locked'}`);
  find<HTMLButtonElement>('seal').disabled = false;
}

async function seal(): Promise<void> {
  await wallet.waitForAuthentication({});
  const plaintext = Utils.toArray(find<HTMLTextAreaElement>('note').value, 'utf8');
  const { ciphertext } = await wallet.encrypt({ ...key, plaintext });
  const { hmac } = await wallet.createHmac({ ...key, data: ciphertext });
  const { signature } = await wallet.createSignature({ ...key, data: ciphertext });
  const { publicKey } = await wallet.getPublicKey({ ...key, forSelf: true });
  sealed = { ciphertext, hmac, signature };
  say('sealed', `${ciphertext.length} bytes, signed by ${publicKey}`);
  find<HTMLButtonElement>('open').disabled = false;
}

async function open(): Promise<void> {
  if (!sealed) return;
  const { ciphertext, hmac, signature } = sealed;
  await wallet.verifyHmac({ ...key, data: ciphertext, hmac });
  await wallet.verifySignature({ ...key, data: ciphertext, signature, forSelf: true });
  const { plaintext } = await wallet.decrypt({ ...key, ciphertext });
  say('opened', Utils.toUTF8(plaintext));
}

find('seal').addEventListener('click', trying(seal));
find('open').addEventListener('click', trying(open));
trying(greet)();
